package dev.chatflow.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What programs call, against a server that speaks HTTP and nothing more. */
class ChatFlowTest {

  private static final Listener DEAF = (_, _) -> {};

  private final List<String> asked = new CopyOnWriteArrayList<>();

  @SuppressWarnings("NullAway.Init") // before each test
  private HttpServer server;

  private int status = 201;
  private String body = "{\"messageId\":\"k-1\",\"serverTimestamp\":\"2026-11-20T18:46:00.125Z\"}";

  @BeforeEach
  void start() throws Exception {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          String sent =
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
          asked.add(
              exchange.getRequestMethod()
                  + " "
                  + exchange.getRequestURI()
                  + " "
                  + exchange.getRequestHeaders().getFirst("Idempotency-Key")
                  + " "
                  + exchange.getRequestHeaders().getFirst("X-Team")
                  + " "
                  + sent);
          byte[] answer = body.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(status, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private ChatFlow.Builder to() {
    return ChatFlow.to(URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/team"))
        .user("17", "ann");
  }

  @Test
  void textIsPostedUnderItsKey() {
    try (ChatFlow chat = to().header("X-Team", "blue").build()) {
      assertThat(chat.post("5", "a \"text\"", "k-1").join().id()).isEqualTo("k-1");
    }
    assertThat(asked)
        .singleElement()
        .asString()
        .startsWith("POST /team/api/rooms/5/messages k-1 blue {\"messageType\":\"TEXT\"")
        .contains("\"userId\":\"17\"", "\"message\":\"a \\\"text\\\"\"");
  }

  @Test
  void refusedPostFails() {
    status = 403;
    body = "{\"errorCode\":\"FORBIDDEN\",\"error\":\"not here\"}";
    try (ChatFlow chat = to().build()) {
      assertThatThrownBy(chat.post("5", "text", "k-1")::join).hasRootCauseMessage("not here");
    }
  }

  @Test
  void tokenThatNamesNobodyFailsThePost() {
    URI base = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    try (ChatFlow chat = ChatFlow.to(base).token(() -> "no token").build()) {
      assertThatThrownBy(chat.post("5", "text", "k-1")::join)
          .hasRootCauseMessage("the token is no JWT");
    }
  }

  @Test
  void serverThatUpgradesNothingIsTriedAgainUntilTheRoomIsLeft() {
    status = 503;
    ChatFlow chat = to().build();
    Room room = chat.join("5", DEAF);
    await()
        .until(() -> room.state() instanceof State.Waiting(String why, _) && why.contains("503"));
    await().until(() -> asked.size() >= 2);
    assertThat(asked.getFirst()).startsWith("GET /team/chat/5 ");
    chat.close();
    assertThat(room.state()).isEqualTo(new State.Left());
    assertThatIllegalStateException().isThrownBy(() -> chat.join("5", DEAF));
  }

  @Test
  void addressWhereNobodyListensIsTriedAgain() throws Exception {
    int port;
    try (ServerSocket taken = new ServerSocket(0)) {
      port = taken.getLocalPort();
    }
    URI nobody = URI.create("http://127.0.0.1:" + port);
    try (ChatFlow chat = ChatFlow.to(nobody).user("17", "ann").build()) {
      Room room = chat.join("5", DEAF);
      await().until(() -> room.state() instanceof State.Waiting);
      assertThat(room.people()).isEqualTo(new People(0, false, java.util.Map.of()));
      assertThat(room.id()).isEqualTo("5");
    }
  }

  @Test
  void errorOfTheListenerIsItsOwn() {
    List<State> told = new CopyOnWriteArrayList<>();
    Listener wild =
        new Listener() {
          @Override
          public void message(Room room, Message message) {}

          @Override
          public void state(Room room, State state) {
            told.add(state);
            throw new IllegalStateException("meant so");
          }
        };
    status = 503;
    try (ChatFlow chat = to().build()) {
      Room room = chat.join("5", wild);
      await().dontCatchUncaughtExceptions().until(() -> told.size() >= 3);
      assertThat(room.state()).isNotNull();
    }
    assertThat(told.getFirst()).isEqualTo(new State.Connecting());
  }

  @Test
  void whatCannotBeIsRefusedAtOnce() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ChatFlow.to(URI.create("ws://host/chat")))
        .withMessageContaining("http://HOST/");
    assertThatIllegalArgumentException().isThrownBy(() -> ChatFlow.to(URI.create("http:/x")));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ChatFlow.to(URI.create("https://host/")).build())
        .withMessageContaining("neither a user");
    assertThatIllegalArgumentException().isThrownBy(() -> to().history(101));
    assertThatIllegalArgumentException().isThrownBy(() -> to().members(-1));
    assertThatIllegalArgumentException().isThrownBy(() -> to().unconfirmed(0));
    try (ChatFlow chat = to().build()) {
      assertThatIllegalArgumentException().isThrownBy(() -> chat.join("a room", DEAF));
      assertThatIllegalArgumentException().isThrownBy(() -> chat.post("5", "text", "a key"));
    }
  }
}
