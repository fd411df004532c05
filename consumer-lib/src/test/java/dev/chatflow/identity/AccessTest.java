package dev.chatflow.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.sun.net.httpserver.HttpServer;
import dev.chatflow.support.CapturedLog;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AccessTest {

  private static final Issuer ISSUER = Issuer.hs256("0123456789abcdef0123456789abcdef");
  private static final Duration HOUR = Duration.ofHours(1);

  @TempDir Path folder;

  private TokenVerdict judge(Access access, String user) {
    return access.judge(ISSUER.token(user, HOUR, "*"), System.currentTimeMillis());
  }

  @Test
  void withoutTokensAnyUserIsAccepted() {
    try (Access open = Access.open()) {
      assertThat(open.isOpen()).isTrue();
      assertThat(open.judge(null, 0)).isEqualTo(new TokenVerdict.Known(Identity.ANYBODY));
      assertThat(Identity.ANYBODY.isService()).isFalse();
      assertThat(Identity.ANYBODY.refusalAs("17", "user17")).isNull();
    }
  }

  @Test
  void deniedUserIsRefusedWhateverTheToken() throws Exception {
    Path keys = ISSUER.writeKey(folder.resolve("keys"));
    Path denied = Files.writeString(folder.resolve("denied"), "17\n\n  18 \n");
    AccessConfig config = AccessConfig.parse(keys.toString(), denied.toString());
    try (Access access = Access.of(config, "test-")) {
      assertThat(judge(access, "16")).isInstanceOf(TokenVerdict.Known.class);
      assertThat(judge(access, "17"))
          .isEqualTo(new TokenVerdict.Unknown("access of this user was revoked", false));
      assertThat(access.isDenied("18")).isTrue();
    }
  }

  /**
   * A signature is verified once per token; everything that can change afterwards is checked each
   * time.
   */
  @Test
  void tokenIsRemembered() throws Exception {
    Path keys = ISSUER.writeKey(folder.resolve("keys"));
    String token = ISSUER.token("17", HOUR, "*");
    long now = System.currentTimeMillis();
    try (Access access = Access.of(AccessConfig.parse(keys.toString(), ""), "test-")) {
      assertThat(access.recall(token, now)).isNull();
      TokenVerdict verdict = access.judge(token, now);
      assertThat(access.recall(token, now))
          .isEqualTo(verdict)
          .isInstanceOf(TokenVerdict.Known.class);
      assertThat(access.recall(token, now + HOUR.toMillis() + 31_000))
          .isEqualTo(
              new TokenVerdict.Unknown("the token has expired: reconnect with a new one", true));
      String forged = Issuer.hs256("another secret of at least 32 bytes").token("17", HOUR, "*");
      assertThat(access.judge(forged, now)).isInstanceOf(TokenVerdict.Unknown.class);
      assertThat(access.recall(forged, now)).as("only valid ones are kept").isNull();
    }
  }

  @Test
  void rememberedTokensAreBounded() {
    VerifiedTokens tokens = new VerifiedTokens();
    for (int i = 0; i <= VerifiedTokens.MAX; i++) {
      tokens.remember("token " + i, Identity.ANYBODY);
    }
    assertThat(tokens.find("token 0")).isNull();
    assertThat(tokens.find("token 1")).isEqualTo(Identity.ANYBODY);
  }

  @Test
  void startNamesTheFileThatCannotBeUsed() throws Exception {
    String missing = folder.resolve("missing").toString();
    assertThatThrownBy(() -> Access.of(AccessConfig.parse(missing, ""), "test-"))
        .isInstanceOf(IOException.class)
        .hasMessage(missing + ": the file does not exist");
    Path weak = Files.writeString(folder.resolve("weak"), "hunter2");
    assertThatThrownBy(() -> Access.of(AccessConfig.parse(weak.toString(), ""), "test-"))
        .hasMessage(weak + ": a secret of 7 bytes: at least 32 are needed");
  }

  @Test
  void failedReloadChangesNothing() throws Exception {
    Deque<String> contents = new ArrayDeque<>(List.of("one", "two", "away", "bad", "three"));
    AtomicInteger failures = new AtomicInteger();
    ReloadedContent<String> watched =
        new ReloadedContent<>(
            "a file",
            () -> {
              String next = contents.remove();
              if (next.equals("away")) {
                throw new IOException("nobody answers");
              }
              return next.getBytes(StandardCharsets.UTF_8);
            },
            bytes -> {
              String text = new String(bytes, StandardCharsets.UTF_8);
              if (text.equals("bad")) {
                throw new IllegalArgumentException("no key");
              }
              return text;
            },
            failures::incrementAndGet);
    assertThat(watched.get()).isEqualTo("one");
    for (String expected : List.of("two", "two", "two", "three")) {
      watched.run();
      assertThat(watched.get()).isEqualTo(expected);
    }
    assertThat(failures).hasValue(2);
  }

  /** A scheduled task that throws is never run again, so no key would be read again. */
  @Test
  void defectOfTheReadingChangesNothingEither() throws Exception {
    Deque<String> contents = new ArrayDeque<>(List.of("one", "bad", "bad", "two"));
    AtomicInteger failures = new AtomicInteger();
    ReloadedContent<String> watched =
        new ReloadedContent<>(
            "a file",
            () -> contents.remove().getBytes(StandardCharsets.UTF_8),
            bytes -> {
              String text = new String(bytes, StandardCharsets.UTF_8);
              if (text.equals("bad")) {
                throw new IllegalStateException("the secret is bad");
              }
              return text;
            },
            failures::incrementAndGet);
    try (CapturedLog log = CapturedLog.of(ReloadedContent.class)) {
      for (String expected : List.of("one", "one", "two")) {
        watched.run();
        assertThat(watched.get()).isEqualTo(expected);
      }
      assertThat(log.lines())
          .containsExactly(
              "WARN a file: cannot be used: IllegalStateException; its previous content stays"
                  + " effective",
              "INFO a file has changed and is now effective");
    }
    assertThat(failures).hasValue(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"http://idp.example.com/keys", "ftp://idp.example.com/keys", "a,,b", "https://"})
  void sourceThatCannotBeTrustedIsRefused(String keys) {
    assertThatThrownBy(() -> AccessConfig.parse(keys, ""))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void sourcesAreFilesAndAddresses() {
    AccessConfig config =
        AccessConfig.parse("/etc/a.pem, https://idp.example.com/jwks,http://127.0.0.1:1/k", "");
    assertThat(config.files()).containsExactly(Path.of("/etc/a.pem"));
    assertThat(config.addresses()).hasSize(2);
    assertThat(config.isOpen()).isFalse();
  }

  @Test
  void discoveryDocumentLeadsToTheKeys() throws Exception {
    HttpServer provider =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    String address = "http://127.0.0.1:" + provider.getAddress().getPort();
    Issuer issuer = Issuer.rs256();
    answer(provider, "/discovery", "{\"jwks_uri\":\"" + address + "/keys\"}");
    answer(provider, "/keys", keySet(issuer));
    answer(provider, "/elsewhere", "{\"jwks_uri\":\"http://idp.example.com/keys\"}");
    provider.start();
    try (Access access = Access.of(AccessConfig.parse(address + "/discovery", ""), "test-")) {
      String token = issuer.token("17", Duration.ofHours(1), "5");
      assertThat(access.judge(token, System.currentTimeMillis()))
          .isInstanceOf(TokenVerdict.Known.class);
      assertThatThrownBy(() -> Access.of(AccessConfig.parse(address + "/elsewhere", ""), "test-"))
          .hasMessageContaining("not https");
    } finally {
      provider.stop(0);
    }
  }

  private static String keySet(Issuer issuer) throws Exception {
    String pem = new String(issuer.keyFile(), StandardCharsets.US_ASCII);
    byte[] der = Base64.getMimeDecoder().decode(pem.replaceAll("-----[A-Z ]+-----", ""));
    PublicKey key = KeyFactory.getInstance("RSA").generatePublic(new X509EncodedKeySpec(der));
    return new JWKSet(new RSAKey.Builder((RSAPublicKey) key).build()).toString();
  }

  private static void answer(HttpServer server, String path, String content) {
    server.createContext(
        path,
        exchange -> {
          byte[] body = content.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
  }

  @Test
  void tokenIsFoundInEitherPlaceAndNeverInTwo() {
    List<String> bearer = List.of("bearer a.b.c");
    List<String> offered = List.of("chatflow.v1, token.d.e.f");
    assertThat(Credentials.token(bearer, List.of())).isEqualTo("a.b.c");
    assertThat(Credentials.token(List.of(), offered)).isEqualTo("d.e.f");
    assertThat(Credentials.token(List.of("Basic abc"), offered)).isEqualTo("d.e.f");
    assertThat(Credentials.token(List.of(), List.of("chatflow.v1", "token.d"))).isEqualTo("d");
    assertThat(Credentials.token(bearer, offered)).isNull();
    assertThat(Credentials.token(List.of(), List.of("token.a,token.b"))).isNull();
    assertThat(Credentials.token(List.of(), List.of())).isNull();
  }
}
