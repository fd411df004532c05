package dev.chatflow.chat.link;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The network access through the JDK's HTTP client. Thread-safe. */
public final class JdkNet implements Net {

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int LONGEST = 1 << 20; // characters of a frame; servers send about 5,000

  private final HttpClient http;
  private final Map<String, String> headers;

  /**
   * Creates the access.
   *
   * @param headers headers sent with every request
   */
  public JdkNet(HttpClient http, Map<String, String> headers) {
    this.http = http;
    this.headers = Map.copyOf(headers);
  }

  @Override
  public Socket open(URI address, @Nullable String token, Loop loop, Events on) {
    JdkSocket socket = new JdkSocket(loop, on);
    WebSocket.Builder builder = http.newWebSocketBuilder().subprotocols("chatflow.v1");
    send(token, builder::header);
    var unused =
        builder
            .buildAsync(address, socket)
            .whenComplete((ignored, failure) -> socket.finished(failure));
    return socket;
  }

  private void send(@Nullable String token, BiConsumer<String, String> header) {
    headers.forEach(header);
    if (token != null) {
      header.accept("Authorization", "Bearer " + token);
    }
  }

  @Override
  public Answer get(URI address, @Nullable String token) throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(address).timeout(PATIENCE);
    send(token, request::header);
    return answer(request);
  }

  @Override
  public Answer post(URI address, @Nullable String token, String key, String json)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(address)
            .timeout(PATIENCE)
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", key)
            .POST(HttpRequest.BodyPublishers.ofString(json));
    send(token, request::header);
    return answer(request);
  }

  private Answer answer(HttpRequest.Builder request) throws IOException, InterruptedException {
    HttpResponse<String> answer = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    String retryAfter = answer.headers().firstValue("Retry-After").orElse("");
    int seconds = retryAfter.matches("[0-9]{1,5}") ? Integer.parseInt(retryAfter) : 0;
    return new Answer(answer.statusCode(), seconds, answer.body());
  }

  /**
   * Requests a frame only after the previous one was handled, so that a slow room slows its server
   * down.
   */
  private static final class JdkSocket implements Socket, WebSocket.Listener {

    private final Loop loop;
    private final Events on;
    private final CompletableFuture<WebSocket> opened = new CompletableFuture<>();
    private final StringBuilder pieces = new StringBuilder();
    private CompletableFuture<WebSocket> sent = opened; // room's thread
    private boolean isEnded; // room's thread

    JdkSocket(Loop loop, Events on) {
      this.loop = loop;
      this.on = on;
    }

    /** Handles the outcome of the handshake. */
    void finished(@Nullable Throwable failure) {
      if (failure != null) {
        end(Closes.SILENT, reason(failure));
      }
    }

    private static String reason(Throwable failure) {
      Throwable cause =
          failure instanceof CompletionException wrapped && wrapped.getCause() != null
              ? wrapped.getCause()
              : failure;
      return cause instanceof WebSocketHandshakeException refused
          ? "the server answers " + refused.getResponse().statusCode()
          : Objects.requireNonNullElseGet(cause.getMessage(), cause.getClass()::getSimpleName);
    }

    private void end(int code, String reason) {
      loop.execute(() -> {
        if (!isEnded) {
          isEnded = true;
          on.ended(code, reason);
        }
      });
    }

    @Override
    public void send(String text) {
      sent = sent.thenCompose(socket -> socket.sendText(text, true));
    }

    @Override
    public void close(int code) {
      isEnded = true;
      var unused =
          sent.thenCompose(socket -> socket.sendClose(code, ""))
              .whenComplete((ignored, failure) -> drop(failure));
      opened.cancel(false); // drops a socket that is still opening
    }

    /** Drops the connection after a failed send. */
    private void drop(@Nullable Throwable failure) {
      if (failure != null && opened.state() == CompletableFuture.State.SUCCESS) {
        opened.join().abort();
      }
    }

    @Override
    public void onOpen(WebSocket socket) {
      if (!opened.complete(socket)) {
        socket.abort();
        return;
      }
      loop.execute(() -> {
        if (!isEnded) {
          on.opened();
        }
        socket.request(1);
      });
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence part, boolean last) {
      if (pieces.length() + part.length() > LONGEST) {
        socket.abort();
        end(Closes.SILENT, "the server sent a frame of more than " + LONGEST + " characters");
      } else if (last) {
        String text = pieces.append(part).toString();
        pieces.setLength(0);
        loop.execute(() -> received(socket, text));
      } else {
        pieces.append(part);
        socket.request(1);
      }
      return null;
    }

    private void received(WebSocket socket, String text) {
      try {
        if (!isEnded) {
          on.received(text);
        }
      } finally {
        socket.request(1);
      }
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
      end(code, reason);
      return null;
    }

    @Override
    public void onError(WebSocket socket, Throwable failure) {
      end(Closes.SILENT, reason(failure));
    }
  }
}
