package dev.chatflow.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the public methods against a server that answers only HTTP. */
class ChatFlowTest {

  private static final Listener IGNORING = (_, _) -> {};

  private final List<String> requests = new CopyOnWriteArrayList<>();

  @SuppressWarnings("NullAway.Init") // set before each test
  private HttpServer server;

  private volatile int status = 201;
  private volatile String body =
      "{\"messageId\":\"k-1\",\"serverTimestamp\":\"2026-11-20T18:46:00.125Z\"}";

  @BeforeEach
  void start() throws Exception {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          String sent =
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
          requests.add(
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
    assertThat(requests)
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
  void tokenWithoutUserFailsThePost() {
    URI base = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    try (ChatFlow chat = ChatFlow.to(base).token(() -> "no token").build()) {
      assertThatThrownBy(chat.post("5", "text", "k-1")::join)
          .hasRootCauseMessage("the token is not a JWT");
    }
  }

  @Test
  void rejectedUpgradeIsRetriedUntilTheRoomIsLeft() {
    status = 503;
    ChatFlow chat = to().build();
    Room room = chat.join("5", IGNORING);
    await()
        .until(
            () -> room.state() instanceof State.Waiting waiting && waiting.why().contains("503"));
    await().until(() -> requests.size() >= 2);
    assertThat(requests.getFirst()).startsWith("GET /team/chat/5 ");
    chat.close();
    assertThat(room.state()).isEqualTo(new Values.LeftState());
    assertThatIllegalStateException().isThrownBy(() -> chat.join("5", IGNORING));
  }

  @Test
  void unreachableAddressIsRetried() throws Exception {
    int port;
    try (ServerSocket taken = new ServerSocket(0)) {
      port = taken.getLocalPort();
    }
    URI unreachable = URI.create("http://127.0.0.1:" + port);
    try (ChatFlow chat = ChatFlow.to(unreachable).user("17", "ann").build()) {
      Room room = chat.join("5", IGNORING);
      await().until(() -> room.state() instanceof State.Waiting);
      assertThat(room.people()).isEqualTo(new Values.PeopleValue(0, false, java.util.Map.of()));
      assertThat(room.id()).isEqualTo("5");
    }
  }

  @Test
  void exceptionOfAListenerDoesNotAffectTheRoom() {
    List<State> states = new CopyOnWriteArrayList<>();
    Listener throwing =
        new Listener() {
          @Override
          public void message(Room room, Message message) {}

          @Override
          public void state(Room room, State state) {
            states.add(state);
            throw new IllegalStateException("intended by the test");
          }
        };
    status = 503;
    try (ChatFlow chat = to().build()) {
      Room room = chat.join("5", throwing);
      await().dontCatchUncaughtExceptions().until(() -> states.size() >= 3);
      assertThat(room.state()).isNotNull();
    }
    assertThat(states.getFirst()).isEqualTo(new Values.ConnectingState());
  }

  /** Two connections of one user to one room used to close each other with 4009 forever. */
  @Test
  void roomJoinedTwiceIsOneRoomWithBothListeners() {
    status = 503;
    List<State> later = new CopyOnWriteArrayList<>();
    Listener second = listening(later);
    try (ChatFlow chat = to().build()) {
      Room room = chat.join("5", IGNORING);
      assertThat(chat.join("5", second)).isSameAs(room);
      assertThat(chat.join("5", second)).isSameAs(room);
      assertThat(chat.join("6", second)).isNotSameAs(room);
      room.leave().join();
      await().until(() -> later.contains(new Values.LeftState()));
    }
  }

  @Test
  void lastCallOfLeaveAndJoinWins() {
    status = 503;
    try (ChatFlow chat = to().build()) {
      Room first = chat.join("5", IGNORING);
      var left = first.leave();
      Room second = chat.join("5", IGNORING);
      assertThat(second).isNotSameAs(first);
      left.join();
      await().until(() -> second.state() instanceof State.Waiting);
      assertThat(first.state()).isEqualTo(new Values.LeftState());
      chat.join("5", IGNORING).leave().join();
      assertThat(second.state()).isEqualTo(new Values.LeftState());
    }
  }

  private static Listener listening(List<State> states) {
    return new Listener() {
      @Override
      public void message(Room room, Message message) {}

      @Override
      public void state(Room room, State state) {
        states.add(state);
      }
    };
  }

  /** These calls used to be queued for a thread that had ended, and never completed. */
  @Test
  void callsAfterTheLeaveComplete() {
    status = 503;
    try (ChatFlow chat = to().build()) {
      Room room = chat.join("5", IGNORING);
      room.leave().join();
      assertThat(room.leave().orTimeout(5, TimeUnit.SECONDS).join()).isNull();
      assertThat(room.older(50).orTimeout(5, TimeUnit.SECONDS).join()).isEmpty();
      assertThatThrownBy(() -> room.send("x").orTimeout(5, TimeUnit.SECONDS).join())
          .hasRootCauseMessage("the room was left, or has stopped: join it again");
      assertThat(room.wrong("x")).get().extracting(ChatException::code).isEqualTo(Code.LEFT);
      assertThat(room.entered()).isCompletedExceptionally();
    }
  }

  /**
   * {@code close()} used to wait 5 s for the calling thread, which then left the room through a
   * client that was already shut down.
   */
  @Test
  void listenerCanNeitherCloseNorWaitForAPost() {
    status = 503;
    List<Throwable> thrown = new CopyOnWriteArrayList<>();
    try (ChatFlow chat = to().unconfirmed(1).build()) {
      Listener wrong =
          new Listener() {
            @Override
            public void message(Room room, Message message) {}

            @Override
            public void state(Room room, State state) {
              if (state instanceof State.Connecting && thrown.isEmpty()) {
                thrown.add(catchThrowable(chat::close));
                thrown.add(catchThrowable(chat.post("5", "text", "k-1")::join));
                thrown.add(catchThrowable(chat.post("5", "text", "k-2")::join));
              }
            }
          };
      chat.join("5", wrong);
      await().until(() -> thrown.size() == 3);
    }
    assertThat(thrown.get(0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Call close() on another thread");
    assertThat(thrown.get(1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("a listener must not wait");
    assertThat(thrown.get(2)).hasRootCauseInstanceOf(ChatException.class);
  }

  @Test
  void historyIsReadFromTheServer() throws Exception {
    body = "{\"roomId\":\"5\",\"messages\":[]}";
    status = 200;
    Instant at = Instant.parse("2026-11-20T18:46:00Z");
    Message message = Scene.message(new Values.UserValue("4", "dan"), "c:4", at);
    try (ChatFlow chat = to().build()) {
      Room room = chat.join("5", IGNORING);
      assertThat(room.older(7, message).get()).isEmpty();
      assertThat(requests)
          .anySatisfy(request ->
              assertThat(URLDecoder.decode(request, StandardCharsets.UTF_8))
                  .startsWith(
                      "GET /team/api/rooms/5/messages?last=7&before={\"messageType\":\"TEXT\","
                          + "\"userId\":\"4\",\"messageId\":\"c:4\","
                          + "\"serverTimestamp\":\"2026-11-20T18:46:00.000Z\"} "));
      status = 404;
      assertThat(room.older(7, message).get()).isEmpty();
      status = 503;
      assertThatThrownBy(room.older(7, message)::get).hasRootCauseMessage("the server answers 503");
    }
  }

  @Test
  void membersAreReadFromTheServer() {
    status = 200;
    body = "{\"count\":1,\"members\":[{\"userId\":\"4\",\"username\":\"dan\"}]}";
    try (ChatFlow chat = to().build()) {
      Room room = chat.join("5", IGNORING);
      assertThat(room.everybody()).extracting(User::name).containsExactly("dan");
      assertThat(requests)
          .anySatisfy(
              request -> assertThat(request).startsWith("GET /team/api/rooms/5?limit=1000 "));
      status = 403;
      body = "{\"errorCode\":\"FORBIDDEN\",\"error\":\"not here\"}";
      assertThatThrownBy(room::everybody)
          .cause()
          .isInstanceOf(ChatException.class)
          .hasFieldOrPropertyWithValue("code", Code.FORBIDDEN)
          .hasMessage("not here");
    }
  }

  @Test
  @SuppressWarnings("NullAway") // like programs without null checks
  void missingArgumentsAreNamedAtTheCall() {
    assertThatNullPointerException()
        .isThrownBy(() -> ChatFlow.to(null))
        .withMessageContaining("address");
    assertThatNullPointerException()
        .isThrownBy(() -> to().user(null, "ann"))
        .withMessageContaining("user id is null");
    assertThatNullPointerException()
        .isThrownBy(() -> to().user("17", null))
        .withMessageContaining("user name is null");
    assertThatNullPointerException()
        .isThrownBy(() -> to().token(null))
        .withMessageContaining("token supplier");
    assertThatNullPointerException()
        .isThrownBy(() -> to().http(null))
        .withMessageContaining("HTTP client");
    assertThatNullPointerException()
        .isThrownBy(() -> to().header("X-Team", null))
        .withMessageContaining("X-Team");
    status = 503;
    ChatFlow chat = to().build();
    assertThatNullPointerException()
        .isThrownBy(() -> chat.join(null, IGNORING))
        .withMessageContaining("room id is null");
    assertThatNullPointerException()
        .isThrownBy(() -> chat.join("5", null))
        .withMessageContaining("listener is null");
    assertThatNullPointerException()
        .isThrownBy(() -> chat.post("5", null, "k-1"))
        .withMessageContaining("text is null");
    Room room = chat.join("5", IGNORING);
    assertThatNullPointerException()
        .isThrownBy(() -> room.send(null))
        .withMessageContaining("text is null");
    assertThatNullPointerException()
        .isThrownBy(() -> room.older(5, null))
        .withMessageContaining("before is null");
    chat.close();
    assertThatIllegalStateException()
        .isThrownBy(() -> chat.join("5", IGNORING))
        .withMessage("this ChatFlow was closed: build another one");
    assertThatIllegalStateException().isThrownBy(() -> chat.post("5", "text", "k-1"));
  }

  @Test
  void invalidOptionsAreRejectedAtOnce() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ChatFlow.to(URI.create("ws://host/chat")))
        .withMessageContaining("http://HOST/");
    assertThatIllegalArgumentException().isThrownBy(() -> ChatFlow.to(URI.create("http:/x")));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ChatFlow.to(URI.create("https://host/")).build())
        .withMessageContaining("neither a user");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> to().user("", "ann"))
        .withMessageContaining("user id must be 1 to 64");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> to().user("17", ""))
        .withMessageContaining("user name must be 1 to 64");
    assertThatIllegalArgumentException().isThrownBy(() -> to().history(101));
    assertThatIllegalArgumentException().isThrownBy(() -> to().members(-1));
    assertThatIllegalArgumentException().isThrownBy(() -> to().unconfirmed(0));
    try (ChatFlow chat = to().build()) {
      assertThatIllegalArgumentException().isThrownBy(() -> chat.join("a room", IGNORING));
      assertThatIllegalArgumentException().isThrownBy(() -> chat.post("5", "text", "a key"));
      assertThatIllegalArgumentException().isThrownBy(() -> chat.post("5", "", "k-1"));
    }
  }
}
