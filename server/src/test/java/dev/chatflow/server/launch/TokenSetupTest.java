package dev.chatflow.server.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatflow.identity.Access;
import dev.chatflow.identity.AccessConfig;
import dev.chatflow.identity.TokenVerdict;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenSetupTest {

  private static final Pattern LINK = Pattern.compile("https://localhost:8080/#token=(\\S+)");

  private static final URI PAGE = URI.create("https://localhost:8080/");

  private static Path directory;
  private static TlsSetup trial;

  /** One certificate for all tests: keytool takes a second for each. */
  @BeforeAll
  static void make(@TempDir Path parent) throws Exception {
    directory = parent.resolve("secure");
    trial = TlsSetup.in(directory);
    trial.make();
  }

  private Path key() {
    return directory.resolve("token.key");
  }

  private TokenVerdict judge(String token, Duration later) throws Exception {
    try (Access access = Access.of(AccessConfig.parse(key().toString(), ""), "test-")) {
      return access.judge(token, System.currentTimeMillis() + later.toMillis());
    }
  }

  private String linkedToken() throws Exception {
    Matcher link = LINK.matcher(trial.describe(PAGE));
    assertThat(link.find()).isTrue();
    return link.group(1);
  }

  @Test
  void filesAreBelowTheHomeOfTheEnvironment() {
    assertThat(TokenSetup.folder(Map.of("HOME", "/else/where")))
        .isEqualTo(Path.of("/else/where/.chatflow/secure"));
    for (Map<String, String> none : List.of(Map.<String, String>of(), Map.of("HOME", ""))) {
      assertThat(TokenSetup.folder(none))
          .isEqualTo(Path.of(System.getProperty("user.home"), ".chatflow", "secure"));
    }
  }

  @Test
  void onlyTheOwnerReadsTheSecret() throws Exception {
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key())))
        .isEqualTo("rw-------");
    assertThat(Files.readString(key())).matches("[0-9a-f]{64}\n");
    assertThat(trial.describe(PAGE)).doesNotContain(Files.readString(key()).strip());
  }

  @Test
  void linkIsGoodForOneUserInEveryRoomForADay() throws Exception {
    assertThat(judge(linkedToken(), Duration.ofHours(23)))
        .isInstanceOfSatisfying(
            TokenVerdict.Known.class,
            known -> {
              assertThat(known.identity().subject()).isEqualTo("1");
              assertThat(known.identity().refusalAs("1", "any name")).isNull();
              assertThat(known.identity().refusalAs("2", "any name")).isNotNull();
            });
    assertThat(judge(linkedToken(), Duration.ofHours(25))).isInstanceOf(TokenVerdict.Unknown.class);
  }

  @Test
  void anEarlierStartsLinkStaysGood() throws Exception {
    String earlier = linkedToken();
    trial.make();
    assertThat(judge(earlier, Duration.ZERO)).isInstanceOf(TokenVerdict.Known.class);
  }

  @Test
  void aSingleKeyIsCreatedOnceAtItsPathAndItsLinkIsValid() throws Exception {
    Path file = directory.resolve("alone.key");
    TokenSetup alone = TokenSetup.withKey(file);
    alone.make();
    String secret = Files.readString(file);
    alone.make();
    assertThat(Files.readString(file)).isEqualTo(secret);
    assertThat(alone.settings()).containsOnly(Map.entry("chatflow.token.keys", file.toString()));
    String told = alone.describe(URI.create("http://localhost:80/"));
    Matcher link = Pattern.compile("http://localhost:80/#token=(\\S+)").matcher(told);
    assertThat(link.find()).isTrue();
    try (Access access = Access.of(AccessConfig.parse(file.toString(), ""), "test-")) {
      assertThat(access.judge(link.group(1), System.currentTimeMillis()))
          .isInstanceOf(TokenVerdict.Known.class);
    }
  }

  @Test
  void aKeyThatCannotBeWrittenIsNamed() {
    Path file = directory.resolve("nowhere/token.key");
    assertThatThrownBy(TokenSetup.withKey(file)::make)
        .isInstanceOf(IOException.class)
        .hasMessageContaining(file.toString());
  }

  @Test
  void serversGetTheFiles() {
    assertThat(trial.settings())
        .containsOnlyKeys("chatflow.tls.certificate", "chatflow.tls.key", "chatflow.token.keys");
    assertThat(trial.settings().values()).allSatisfy(file -> assertThat(Path.of(file)).exists());
  }
}
