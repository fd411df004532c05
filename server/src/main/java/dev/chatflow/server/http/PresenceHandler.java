package dev.chatflow.server.http;

import dev.chatflow.delivery.PresenceAnswer;
import dev.chatflow.delivery.PresentUser;
import dev.chatflow.identity.Identity;
import dev.chatflow.message.ErrorCode;
import dev.chatflow.message.ErrorFrame;
import dev.chatflow.presence.ShardPresence.RoomSize;
import dev.chatflow.room.RoomId;
import dev.chatflow.server.edge.ServletAnswer;
import dev.chatflow.support.Answer;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Serves {@code GET /api/rooms} and {@code GET /api/rooms/{roomId}}: the members of rooms on all
 * servers.
 *
 * <p>Thread-safe. The container's thread reads the request, a virtual thread writes the response.
 */
public final class PresenceHandler {

  private static final int MOST = 1_000;
  private static final int USUAL_MEMBERS = 200;
  private static final int USUAL_ROOMS = 1_000;
  private static final long RETRY_MILLIS = 1_000;
  private static final String LIMIT = "limit must be an integer from 1 to " + MOST;

  /** Provides the members of all rooms. */
  public interface Source {
    CompletableFuture<PresenceAnswer<PresenceAnswer.Room>> presence(
        RoomId room, int most, @Nullable String after);

    CompletableFuture<PresenceAnswer<PresenceAnswer.Rooms>> rooms(int most, @Nullable String after);

    CompletableFuture<PresenceAnswer<PresenceAnswer.Removal>> remove(RoomId room, String userId);
  }

  private record Member(
      String userId,
      String username,
      String joinedAt,
      @Nullable List<String> devices,
      Answer.@Nullable Json data) {}

  private record MemberList(
      String roomId, int count, boolean complete, List<Member> members, @Nullable String next) {}

  private record Room(String roomId, int members) {}

  private record RoomList(boolean complete, List<Room> rooms, @Nullable String next) {}

  private final Source presence;

  public PresenceHandler(Source presence) {
    this.presence = presence;
  }

  /** Lists the rooms that the identity may enter. */
  void rooms(Identity identity, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    ask(
        presence::rooms,
        USUAL_ROOMS,
        answering(rooms -> list(identity, rooms), PresenceAnswer.Rooms::complete),
        request,
        response);
  }

  private static boolean mayEnter(Identity identity, RoomSize room) {
    return identity.refusalOf(new RoomId(room.room())) == null;
  }

  void room(RoomId room, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    ask(
        (most, after) -> presence.presence(room, most, after),
        USUAL_MEMBERS,
        answering(found -> list(room, found), PresenceAnswer.Room::complete),
        request,
        response);
  }

  /** Removes a user from a room; the LEAVEs are published, and perhaps not read back yet. */
  void remove(
      RoomId room,
      String userId,
      Identity identity,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    if (!identity.moderates(room)) {
      refuse(
          ErrorCode.FORBIDDEN,
          "only a token with moderate for room " + room + " removes members",
          response);
      return;
    }
    AsyncAnswer.write(
        presence.remove(room, userId),
        request,
        (answer, removal) -> {
          switch (answer) {
            case PresenceAnswer.NotNow<PresenceAnswer.Removal>(String why) -> notNow(why, removal);
            case PresenceAnswer.Answered<PresenceAnswer.Removal>(var done)
                when done.members() > 0 -> {
              removal.setContentType(null);
              removal.setStatus(HttpServletResponse.SC_ACCEPTED);
            }
            case PresenceAnswer.Answered<PresenceAnswer.Removal>(var none) when none.complete() ->
                refuse(ErrorCode.NOT_FOUND, "user " + userId + " is not in the room", removal);
            case PresenceAnswer.Answered<PresenceAnswer.Removal> _ ->
                notNow("the members of other servers are not known yet", removal);
          }
        });
  }

  /** Requests at most this many elements after that name. */
  private interface Part<A> {
    CompletableFuture<PresenceAnswer<A>> of(int most, @Nullable String after);
  }

  private static <A> void ask(
      Part<A> part,
      int usual,
      AsyncAnswer.Writer<PresenceAnswer<A>> writer,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    int limit = limit(request.getParameter("limit"), usual);
    if (limit == 0) {
      refuse(ErrorCode.BAD_QUERY, LIMIT, response);
      return;
    }
    AsyncAnswer.write(part.of(limit, request.getParameter("after")), request, writer);
  }

  private static int limit(@Nullable String text, int usual) {
    if (text == null) {
      return usual;
    }
    int limit = text.matches("[1-9][0-9]{0,3}") ? Integer.parseInt(text) : 0;
    return limit <= MOST ? limit : 0;
  }

  private static MemberList list(RoomId room, PresenceAnswer.Room found) {
    List<Member> members = found.users().stream().map(PresenceHandler::member).toList();
    return new MemberList(room.value(), found.count(), found.complete(), members, found.next());
  }

  /** Filters the rooms that the identity may not enter, so a part may be smaller than the limit. */
  private static RoomList list(Identity identity, PresenceAnswer.Rooms found) {
    List<Room> rooms =
        found.rooms().stream()
            .filter(room -> mayEnter(identity, room))
            .map(PresenceHandler::room)
            .toList();
    return new RoomList(found.complete(), rooms, found.next());
  }

  private static <A> AsyncAnswer.Writer<PresenceAnswer<A>> answering(
      Function<A, Object> list, Predicate<A> complete) {
    return (answer, response) -> {
      switch (answer) {
        case PresenceAnswer.Answered<A>(A found) ->
            write(Answer.ok(list.apply(found)), complete.test(found), response);
        case PresenceAnswer.NotNow<A>(String why) -> notNow(why, response);
      }
    };
  }

  private static void notNow(String why, HttpServletResponse response) throws IOException {
    ErrorFrame error =
        ErrorFrame.refusal(
            ErrorCode.SERVICE_UNAVAILABLE,
            why + ": try again later",
            null,
            System.currentTimeMillis());
    ServletAnswer.refuse(error.retryAfter(RETRY_MILLIS), response);
  }

  private static Member member(PresentUser user) {
    String joined = Instant.ofEpochMilli(user.joinedMillis()).toString();
    List<String> devices = user.devices();
    String data = user.data();
    return new Member(
        user.userId(),
        user.username(),
        joined,
        devices.isEmpty() ? null : devices,
        data == null ? null : new Answer.Json(data));
  }

  private static Room room(RoomSize room) {
    return new Room(room.room(), room.users());
  }

  /** Writes the response. An incomplete one may be complete soon. */
  private static void write(Answer answer, boolean complete, HttpServletResponse response)
      throws IOException {
    response.setHeader("Cache-Control", "no-store");
    if (!complete) {
      ServletAnswer.retryAfter(response, RETRY_MILLIS);
    }
    ServletAnswer.json(response, answer.body().getBytes(StandardCharsets.UTF_8));
  }

  private static void refuse(ErrorCode code, String text, HttpServletResponse response)
      throws IOException {
    ServletAnswer.refuse(
        ErrorFrame.refusal(code, text, null, System.currentTimeMillis()), response);
  }
}
