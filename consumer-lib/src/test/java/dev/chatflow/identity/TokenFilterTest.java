package dev.chatflow.identity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.support.Answer;
import dev.chatflow.support.Request;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenFilterTest {

  private static final Issuer ISSUER = Issuer.hs256("0123456789abcdef0123456789abcdef");
  private static final Duration HOUR = Duration.ofHours(1);

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @SuppressWarnings("NullAway.Init")
  private Access access;

  @BeforeEach
  void readKeys() throws Exception {
    Path keys = ISSUER.writeKey(folder.resolve("keys"));
    access = Access.of(AccessConfig.parse(keys.toString(), ""), "test-");
  }

  @AfterEach
  void close() {
    access.close();
  }

  private int status(Access judge, String path, String... authorization) {
    TokenFilter door = new TokenFilter(judge, System::currentTimeMillis, _ -> Answer.ok("told"));
    return door.answer(
            new Request(
                "GET", URI.create(path), null, List.of(authorization), false, true, "192.0.2.1"))
        .status();
  }

  private static String bearer(String user, String... rooms) {
    return "Bearer " + ISSUER.token(user, HOUR, rooms);
  }

  @Test
  void roomIsListedForUsersWithAccess() {
    for (String path : List.of("/api/rooms/5", "/api/rooms/5/messages?last=3")) {
      assertThat(status(access, path)).isEqualTo(401);
      assertThat(status(access, path, bearer("17", "5"))).isEqualTo(200);
      assertThat(status(access, path, bearer("17", "6"))).isEqualTo(403);
      assertThat(status(access, path, bearer("*", "*"))).isEqualTo(200);
    }
  }

  @Test
  void guardedPathsAreTheOwnersChoice() {
    TokenFilter door =
        new TokenFilter(access, System::currentTimeMillis, Request::page, _ -> Answer.ok("told"));
    assertThat(answer(door, "/api/stats", false).status()).isEqualTo(200);
    assertThat(answer(door, "/drain", true).status()).isEqualTo(401);
    assertThat(answer(door, "/drain", true, bearer("17", "*")).status()).isEqualTo(403);
    assertThat(answer(door, "/drain", true, bearer("*", "*")).status()).isEqualTo(200);
  }

  /** The same rule and the same answer as on a server's chat port. */
  @Test
  void addressBeyondItsRateIsRefusedExceptForHealth() {
    try (Access limited = Access.open(1)) {
      assertThat(status(limited, "/api/stats")).isEqualTo(200);
      assertThat(status(limited, "/api/stats")).isEqualTo(429);
      assertThat(status(limited, "/health")).isEqualTo(200);
    }
  }

  @Test
  void deniedUserGetsNoAnswer() throws Exception {
    Path keys = ISSUER.writeKey(folder.resolve("keys"));
    Path denied = Files.writeString(folder.resolve("denied"), "17");
    AccessConfig config = AccessConfig.parse(keys.toString(), denied.toString());
    try (Access judge = Access.of(config, "test-")) {
      assertThat(status(judge, "/api/rooms/5", bearer("17", "5"))).isEqualTo(401);
      assertThat(status(judge, "/api/rooms/5", bearer("18", "5"))).isEqualTo(200);
    }
  }

  private static Answer answer(
      TokenFilter door, String path, boolean page, String... authorization) {
    return door.answer(
        new Request(
            "POST", URI.create(path), null, List.of(authorization), page, true, "192.0.2.1"));
  }

  @Test
  void listsOfAllRoomsAreForServices() {
    for (String path : List.of("/api/stats", "/api/rooms", "/api/rooms/", "/api/rooms/a.b")) {
      assertThat(status(access, path, bearer("17", "*"))).as(path).isEqualTo(403);
      assertThat(status(access, path, bearer("*", "5"))).as(path).isEqualTo(403);
      assertThat(status(access, path, bearer("*", "*"))).as(path).isEqualTo(200);
    }
  }

  @Test
  void operatorPathsNeedNoToken() {
    assertThat(status(access, "/health")).isEqualTo(200);
    assertThat(status(access, "/metrics")).isEqualTo(200);
    try (Access open = Access.open()) {
      assertThat(status(open, "/api/stats")).isEqualTo(200);
    }
  }
}
