package dev.chatflow.server.http;

import dev.chatflow.http.Answer;
import dev.chatflow.identity.Identity;
import dev.chatflow.message.ErrorCode;
import dev.chatflow.message.ErrorFrame;
import dev.chatflow.room.RoomId;
import dev.chatflow.server.edge.ServletAnswer;
import dev.chatflow.shard.people.Person;
import dev.chatflow.shard.people.ShardPeople.RoomSize;
import dev.chatflow.shard.room.PeopleAnswer;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code GET /api/rooms} and {@code GET /api/rooms/{roomId}}: who is in which room, on all servers.
 *
 * <p>Thread-safe. The container's thread reads the question, a virtual one writes the answer.
 */
public final class PeopleHandler {

  private static final Logger log = LoggerFactory.getLogger(PeopleHandler.class);

  private static final int MOST = 1_000;
  private static final int USUAL_MEMBERS = 200;
  private static final int USUAL_ROOMS = 1_000;
  private static final long RETRY_MILLIS = 1_000;
  private static final String LIMIT = "limit must be an integer from 1 to " + MOST;

  /** Who knows the people of all rooms. */
  public interface Source {
    CompletableFuture<PeopleAnswer> people(RoomId room, int most, @Nullable String after);

    CompletableFuture<PeopleAnswer> rooms(int most, @Nullable String after, Predicate<String> open);
  }

  private record Member(String userId, String username, String joinedAt) {}

  private record MemberList(
      String roomId, int count, boolean complete, List<Member> members, @Nullable String next) {}

  private record Room(String roomId, int members) {}

  private record RoomList(boolean complete, List<Room> rooms, @Nullable String next) {}

  private final Source people;

  public PeopleHandler(Source people) {
    this.people = people;
  }

  /** The rooms that somebody may enter. */
  void rooms(Identity identity, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    int limit = limit(request.getParameter("limit"), USUAL_ROOMS);
    if (limit == 0) {
      refuse(LIMIT, response);
      return;
    }
    Predicate<String> open = room -> identity.refusalOf(new RoomId(room)) == null;
    answer("", people.rooms(limit, request.getParameter("after"), open), request);
  }

  void room(RoomId room, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    int limit = limit(request.getParameter("limit"), USUAL_MEMBERS);
    if (limit == 0) {
      refuse(LIMIT, response);
      return;
    }
    answer(room.value(), people.people(room, limit, request.getParameter("after")), request);
  }

  private static int limit(@Nullable String text, int usual) {
    if (text == null) {
      return usual;
    }
    int limit = text.matches("[1-9][0-9]{0,3}") ? Integer.parseInt(text) : 0;
    return limit <= MOST ? limit : 0;
  }

  private static void answer(
      String room, CompletableFuture<PeopleAnswer> coming, HttpServletRequest request) {
    AsyncContext context = request.startAsync();
    context.setTimeout(0); // the desk answers in time
    var _ =
        coming.thenAcceptAsync(
            answer -> write(room, answer, context),
            task -> Thread.ofVirtual().name("chat-people").start(task));
  }

  private static void write(String room, PeopleAnswer answer, AsyncContext context) {
    try {
      HttpServletResponse response = (HttpServletResponse) context.getResponse();
      switch (answer) {
        case PeopleAnswer.Room people -> {
          MemberList list =
              new MemberList(
                  room,
                  people.count(),
                  people.complete(),
                  people.members().stream().map(PeopleHandler::member).toList(),
                  people.next());
          write(Answer.ok(list), people.complete(), response);
        }
        case PeopleAnswer.Rooms rooms -> {
          List<Room> list = rooms.rooms().stream().map(PeopleHandler::room).toList();
          RoomList told = new RoomList(rooms.complete(), list, rooms.next());
          write(Answer.ok(told), rooms.complete(), response);
        }
        case PeopleAnswer.NotNow(String why) ->
            ServletAnswer.refuse(
                ErrorFrame.refusal(
                        ErrorCode.SERVICE_UNAVAILABLE,
                        why + ": ask again later",
                        null,
                        System.currentTimeMillis())
                    .retryAfter(RETRY_MILLIS),
                response);
      }
      context.complete();
    } catch (IOException | IllegalStateException e) {
      log.debug("nobody is there to hear the answer", e);
    }
  }

  private static Member member(Person person) {
    String joined = Instant.ofEpochMilli(person.joinedMillis()).toString();
    return new Member(person.userId(), person.username(), joined);
  }

  private static Room room(RoomSize room) {
    return new Room(room.room(), room.members());
  }

  /** What is not complete yet may be soon. */
  private static void write(Answer answer, boolean complete, HttpServletResponse response)
      throws IOException {
    response.setHeader("Cache-Control", "no-store");
    if (!complete) {
      ServletAnswer.retryAfter(response, RETRY_MILLIS);
    }
    ServletAnswer.json(response, answer.body().getBytes(StandardCharsets.UTF_8));
  }

  private static void refuse(String text, HttpServletResponse response) throws IOException {
    ServletAnswer.refuse(
        ErrorFrame.refusal(ErrorCode.BAD_QUERY, text, null, System.currentTimeMillis()), response);
  }
}
