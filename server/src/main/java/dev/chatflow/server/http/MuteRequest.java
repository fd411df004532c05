package dev.chatflow.server.http;

import dev.chatflow.identity.Identity;
import dev.chatflow.message.ErrorCode;
import dev.chatflow.message.ErrorFrame;
import dev.chatflow.message.JsonTree;
import dev.chatflow.message.MalformedTextException;
import dev.chatflow.message.Parsed;
import dev.chatflow.message.Rule;
import dev.chatflow.room.RoomId;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Parses a request to mute a user: {@code {"seconds":600}}. Stateless. */
final class MuteRequest {

  /** Maximum seconds: a week. */
  private static final long MAX_SECONDS = 604_800;

  private static final int MAX_BYTES = 1_024;

  private MuteRequest() {}

  /** Returns why this user may not be muted by the sender, or null. */
  static @Nullable ErrorFrame refusal(String userId, RoomId room, Identity sender) {
    if (!sender.moderates(room)) {
      return ErrorFrame.refusal(
          ErrorCode.FORBIDDEN,
          "only a token with moderate for room " + room + " mutes users",
          null,
          System.currentTimeMillis());
    }
    return Rule.USER_ID.allows().test(userId) ? null : wrong("userId", Rule.USER_ID.text());
  }

  /**
   * Reads the seconds; 0 for a DELETE, null if there is no such number.
   *
   * @throws IOException if the client disconnects
   */
  static @Nullable Long seconds(HttpServletRequest request) throws IOException {
    if (request.getMethod().equals("DELETE")) {
      return 0L;
    }
    byte[] body = request.getInputStream().readNBytes(MAX_BYTES);
    try {
      return JsonTree.read(new String(body, StandardCharsets.UTF_8)) instanceof Map<?, ?> fields
              && fields.get("seconds") instanceof Long seconds
              && seconds >= 1
              && seconds <= MAX_SECONDS
          ? seconds
          : null;
    } catch (MalformedTextException _) {
      return null;
    }
  }

  static ErrorFrame wrongSeconds() {
    return wrong("seconds", "must be an integer from 1 to " + MAX_SECONDS);
  }

  private static ErrorFrame wrong(String field, String reason) {
    return ErrorFrame.of(
        new Parsed.Invalid(new TreeMap<>(Map.of(field, reason)), null), System.currentTimeMillis());
  }
}
