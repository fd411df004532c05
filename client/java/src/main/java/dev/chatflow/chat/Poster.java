package dev.chatflow.chat;

import com.google.gson.JsonObject;
import dev.chatflow.chat.link.Frames;
import dev.chatflow.chat.link.Net;
import dev.chatflow.chat.link.Servers;
import dev.chatflow.chat.link.Tokens;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Posts one text until a server confirms that its room has it, for at most one minute. All attempts
 * use the same key, so the text is shown once. Blocks its thread.
 */
final class Poster {

  private static final Duration PATIENCE = Duration.ofMinutes(1);

  /** Provides the clock and the waiting between attempts. */
  interface Pauses {
    long nanos();

    void pause(Duration time) throws InterruptedException;
  }

  private final Net net;
  private final Servers servers;
  private final Tokens tokens;
  private final Pauses pauses;
  private @Nullable String stale; // a rejected token

  Poster(Net net, Servers servers, Tokens tokens, Pauses pauses) {
    this.net = net;
    this.servers = servers;
    this.tokens = tokens;
    this.pauses = pauses;
  }

  Receipt post(String path, String key, String json) throws InterruptedException {
    long started = pauses.nanos();
    String trouble = "";
    int failures = 0;
    while (pauses.nanos() - started < PATIENCE.toNanos()) {
      Net.Answer answer = null;
      URI server = servers.current();
      try {
        answer = net.post(server.resolve(path), token(), key, json);
        trouble = "the server answers " + answer.status();
      } catch (IOException e) {
        trouble = String.valueOf(e.getMessage());
      }
      if (answer != null && answer.status() == 201) {
        return receipt(answer);
      }
      if (answer != null && !isForLater(answer)) {
        throw ChatException.of(answer);
      }
      if (answer == null || answer.status() == 503) {
        servers.failed(server);
      }
      Duration left = PATIENCE.minusNanos(pauses.nanos() - started);
      pauses.pause(shorter(pauseAfter(answer, failures++), left));
    }
    throw new ChatException(
        Code.UNKNOWN, "not confirmed within " + PATIENCE.toSeconds() + " s: " + trouble);
  }

  private @Nullable String token() {
    return tokens.get(stale);
  }

  /** Returns whether to repeat the post. A 401 is repeated once, with another token. */
  private boolean isForLater(Net.Answer answer) {
    String used = tokens.held();
    if (answer.status() == 401 && used != null && stale == null) {
      stale = used;
      return true;
    }
    return switch (answer.status()) {
      case 202, 429, 502, 503, 504 -> true;
      default -> false;
    };
  }

  private static Duration pauseAfter(Net.@Nullable Answer answer, int failures) {
    return answer != null && answer.retryAfterSeconds() > 0
        ? Duration.ofSeconds(answer.retryAfterSeconds())
        : Duration.ofMillis(Math.min(8_000, 250L << Math.min(failures, 5)));
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private static Receipt receipt(Net.Answer answer) {
    JsonObject body = Objects.requireNonNullElseGet(Frames.read(answer.body()), JsonObject::new);
    return new Values.ReceiptValue(
        Frames.text(body, Frames.ID), Instant.parse(Frames.text(body, Frames.TIME)));
  }
}
