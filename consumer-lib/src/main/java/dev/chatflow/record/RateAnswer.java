package dev.chatflow.record;

import dev.chatflow.record.Analytics.Window;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/**
 * Answers {@code /api/analytics/rate}: the number of messages in each step of a period.
 * Thread-safe.
 */
final class RateAnswer {

  private static final int MAX_STEPS = 2_000;
  private static final long USUAL_STEP_SECONDS = 60;
  private static final Duration USUAL = Duration.ofHours(1);

  /** The answer. */
  record Rate(long stepSeconds, List<Analytics.Step> steps) {}

  private final Analytics analytics;
  private final InstantSource clock;

  RateAnswer(Analytics analytics, InstantSource clock) {
    this.analytics = analytics;
    this.clock = clock;
  }

  Rate of(Query query) throws Refusal, StoreException {
    Window window = window(query, clock);
    long step = query.step("step", USUAL_STEP_SECONDS);
    String room = query.text("room");
    String user = query.text("user");
    query.end("the parameters are since=TIME, until=TIME, step=1s..1d, room=ROOM, user=NAME");
    if ((window.untilMillis() - window.sinceMillis()) / 1_000 / step > MAX_STEPS) {
      throw Query.bad(
          "these are more than " + MAX_STEPS + " steps; use a shorter period or longer steps");
    }
    return new Rate(step, analytics.rate(window, step, room, user));
  }

  /** Returns the period from {@code since} to {@code until}; by default the last hour. */
  static Window window(Query query, InstantSource clock) throws Refusal {
    long until = query.time("until", clock.millis() + 1);
    long since = query.time("since", until - USUAL.toMillis());
    if (since >= until) {
      throw Query.bad("since must be before until");
    }
    return new Window(since, until);
  }
}
