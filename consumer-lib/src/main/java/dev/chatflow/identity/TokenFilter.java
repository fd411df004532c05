package dev.chatflow.identity;

import dev.chatflow.room.RoomId;
import dev.chatflow.support.Answer;
import dev.chatflow.support.HttpListener;
import dev.chatflow.support.Request;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Checks tokens in front of a listener. Paths below {@code /api/rooms/ROOM} need a token for that
 * room, other guarded paths a service token for all rooms, and the rest none. Thread-safe.
 */
public final class TokenFilter implements HttpListener.Answers {

  private static final Pattern ROOM = Pattern.compile("/api/rooms/([A-Za-z0-9_-]{1,64})(/.*)?");

  private final Access access;
  private final LongSupplier millis;
  private final Predicate<Request> guarded;
  private final HttpListener.Answers inside;

  /**
   * Creates a filter that guards everything below {@code /api}.
   *
   * @param millis the wall clock
   */
  public TokenFilter(Access access, LongSupplier millis, HttpListener.Answers inside) {
    this(access, millis, request -> request.uri().getPath().startsWith("/api"), inside);
  }

  /**
   * Creates a filter.
   *
   * @param millis the wall clock
   * @param guarded returns whether a request needs a token
   */
  public TokenFilter(
      Access access, LongSupplier millis, Predicate<Request> guarded, HttpListener.Answers inside) {
    this.access = access;
    this.millis = millis;
    this.guarded = guarded;
    this.inside = inside;
  }

  @Override
  public Answer answer(Request request) {
    if (!guarded.test(request)) {
      return inside.answer(request);
    }
    String token = Credentials.token(request.authorization(), List.of());
    return switch (access.judge(request.address(), token, millis.getAsLong(), System.nanoTime())) {
      case TokenVerdict.TooMany(long wait) -> Answer.tooMany(TokenVerdict.TooMany.TEXT, wait);
      case TokenVerdict.Unknown unknown ->
          Answer.problem(HttpURLConnection.HTTP_UNAUTHORIZED, "UNAUTHORIZED", unknown.why());
      case TokenVerdict.Known(Identity identity) -> {
        String refusal = refusal(identity, request.uri().getPath());
        yield refusal == null ? inside.answer(request) : Answer.forbidden(refusal);
      }
    };
  }

  private @Nullable String refusal(Identity identity, String path) {
    if (access.isOpen()) {
      return null;
    }
    Matcher room = ROOM.matcher(path);
    if (room.matches()) {
      return identity.refusalOf(new RoomId(room.group(1)));
    }
    boolean all = identity.isService() && identity.rooms().equals(RoomGrants.ALL);
    return all ? null : "this request concerns all rooms: use a token with sub * and rooms *";
  }
}
