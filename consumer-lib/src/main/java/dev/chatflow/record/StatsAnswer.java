package dev.chatflow.record;

import dev.chatflow.record.Analytics.RoomMessages;
import dev.chatflow.record.Analytics.UserMessages;
import dev.chatflow.record.Analytics.UserRooms;
import dev.chatflow.record.Analytics.Window;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Answers {@code /api/stats}: the figures of the whole archive or of a period. Thread-safe. */
final class StatsAnswer {

  private static final int MINUTES = 15;
  private static final long MINUTE_SECONDS = 60;
  private static final long MINUTE_MILLIS = 60_000;
  private static final int USUAL_TOP = 5;
  private static final int MAX_TOP = 100;
  private static final Duration ACTIVE = Duration.ofHours(1);

  /** The totals. */
  record Totals(long recorded) {}

  /** A minute, by its start, and its messages. */
  record Minute(String minute, long messages) {}

  /** The answer. */
  record Stats(
      String since,
      Totals totals,
      long rooms,
      long users,
      long activeUsers,
      @Nullable RoomMessages busiestRoom,
      @Nullable UserMessages mostActiveUser,
      List<Minute> messagesPerMinute,
      List<UserMessages> topUsers,
      List<RoomMessages> topRooms,
      List<UserRooms> topUsersByRooms) {}

  private final Analytics analytics;
  private final InstantSource clock;

  StatsAnswer(Analytics analytics, InstantSource clock) {
    this.analytics = analytics;
    this.clock = clock;
  }

  Stats of(Query query) throws Refusal, StoreException {
    long since = query.time("since", Long.MIN_VALUE);
    long until = query.time("until", Long.MAX_VALUE);
    int top = (int) query.number("top", 1, MAX_TOP, USUAL_TOP);
    query.end("the parameters are since=TIME, until=TIME, top=1..100");
    long now = Math.min(until, clock.millis() + 1);
    boolean all = since == Long.MIN_VALUE && until == Long.MAX_VALUE;
    long from = Math.max(since, 0);
    List<UserMessages> users = all ? analytics.topUsers(top) : analytics.mostActive(from, now, top);
    List<RoomMessages> rooms = all ? analytics.topRooms(top) : analytics.busiest(from, now, top);
    Window lastHour = new Window(Math.max(from, now - ACTIVE.toMillis()), now);
    return new Stats(
        Instant.ofEpochMilli(all ? analytics.sinceMillis() : from).toString(),
        new Totals(all ? analytics.messages() : analytics.messages(from, now)),
        analytics.roomCount(),
        analytics.userCount(),
        analytics.activeUsers(lastHour.sinceMillis(), lastHour.untilMillis(), 1).users(),
        rooms.isEmpty() ? null : rooms.getFirst(),
        users.isEmpty() ? null : users.getFirst(),
        minutes(now),
        users,
        rooms,
        analytics.topUsersByRooms(top));
  }

  /** Returns the last minutes, including empty ones. */
  private List<Minute> minutes(long now) throws StoreException {
    long last = Math.floorDiv(now, MINUTE_MILLIS);
    long first = last - MINUTES + 1;
    Window window = new Window(first * MINUTE_MILLIS, (last + 1) * MINUTE_MILLIS);
    Map<Instant, Long> known =
        analytics.rate(window, MINUTE_SECONDS, "", "").stream()
            .collect(Collectors.toMap(step -> Instant.parse(step.at()), Analytics.Step::messages));
    return LongStream.rangeClosed(first, last)
        .mapToObj(minute -> Instant.ofEpochSecond(minute * MINUTE_SECONDS))
        .map(at -> new Minute(at.toString(), known.getOrDefault(at, 0L)))
        .toList();
  }
}
