package dev.chatflow.client.fake;

import dev.chatflow.client.plan.Connecting;
import dev.chatflow.client.plan.Disturbance;
import dev.chatflow.client.plan.Extras;
import dev.chatflow.client.plan.Judging;
import dev.chatflow.client.plan.Mix;
import dev.chatflow.client.plan.Pacing;
import dev.chatflow.client.plan.Plan;
import dev.chatflow.client.plan.Roles;
import dev.chatflow.client.plan.Target;
import dev.chatflow.client.plan.Warmup;
import dev.chatflow.client.plan.Wave;
import dev.chatflow.client.plan.Workload;
import dev.chatflow.client.transport.Tokens;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Builds a small plan for tests. Each method sets one property and returns this builder. */
public final class TestPlan {
  private List<String> urls = List.of("ws://127.0.0.1:1/chat");
  private int rooms = 2;
  private int roomSize = 3;
  private int texts = 10;
  private Warmup warmup = Warmup.NONE;
  private Duration duration = Duration.ZERO;
  private Pacing pacing = Pacing.burst();
  private Judging.Level level = Judging.Level.EXACTLY_ONCE;
  private Duration drain = Duration.ofSeconds(30);
  private List<Judging.Objective> objectives = List.of();
  private Disturbance disturbance = Disturbance.NONE;
  private int retries = 5;
  private int history;
  private int poolSize;
  private boolean http;
  private int listeners = Roles.EVERYBODY;
  private Mix mix = Mix.TEXTS_ONLY;
  private double zipf;
  private Extras extras = Extras.NONE;
  private Plan.@Nullable Part part;
  private List<Wave> waves = List.of();
  private @Nullable Tokens tokens;

  public TestPlan urls(String... all) {
    urls = List.of(all);
    return this;
  }

  public TestPlan rooms(int count, int size) {
    rooms = count;
    roomSize = size;
    return this;
  }

  /** Sets the number of texts per user. */
  public TestPlan texts(int each) {
    texts = each;
    return this;
  }

  public TestPlan warmup(Warmup first) {
    warmup = first;
    return this;
  }

  /** Ends the run after this time instead of after a number of texts. */
  public TestPlan lasting(Duration time) {
    duration = time;
    texts = 100_000;
    return this;
  }

  public TestPlan pacing(Pacing how) {
    pacing = how;
    return this;
  }

  public TestPlan level(Judging.Level how) {
    level = how;
    return this;
  }

  public TestPlan drain(Duration patience) {
    drain = patience;
    return this;
  }

  public TestPlan objectives(List<Judging.Objective> all) {
    objectives = all;
    return this;
  }

  public TestPlan reconnecting() {
    disturbance = new Disturbance(0, Duration.ZERO, 0, 0, true);
    return this;
  }

  /** Reopens lost connections, which then resume. */
  public TestPlan resuming() {
    disturbance = new Disturbance(0, Duration.ZERO, 0, 0, true, true, false);
    return this;
  }

  /** Requests this number of past frames with each JOIN. */
  public TestPlan history(int frames) {
    history = frames;
    return this;
  }

  public TestPlan disturbance(Disturbance how) {
    disturbance = how;
    return this;
  }

  public TestPlan retries(int further) {
    retries = further;
    return this;
  }

  public TestPlan poolSize(int open) {
    poolSize = open;
    return this;
  }

  /** Posts the texts over HTTP, with this number of listeners in each room. */
  public TestPlan http(int listening) {
    http = true;
    listeners = listening;
    return this;
  }

  public TestPlan mix(Mix shares) {
    mix = shares;
    return this;
  }

  public TestPlan zipf(double exponent) {
    zipf = exponent;
    return this;
  }

  public TestPlan extras(Extras more) {
    extras = more;
    return this;
  }

  public TestPlan waves(Wave... groups) {
    waves = List.of(groups);
    return this;
  }

  /** Gives each user its own token. */
  public TestPlan tokens(Tokens maker) {
    tokens = maker;
    return this;
  }

  /** Returns the source of tokens, or null if the plan has none. */
  public @Nullable Tokens tokens() {
    return tokens;
  }

  /** Runs only one part of the users of each room. */
  public TestPlan part(int number, int count) {
    part = new Plan.Part(number, count, Instant.EPOCH);
    return this;
  }

  public Plan build() {
    Plan whole = whole();
    return part == null ? whole : whole.asPart(part, whole.runId(), whole.seed());
  }

  private Plan whole() {
    return new Plan(
        new Target(urls),
        new Workload(
            rooms,
            roomSize,
            (long) rooms * roomSize * texts,
            0,
            warmup,
            duration,
            new Roles(listeners, mix, zipf, 0, waves),
            extras),
        pacing,
        new Connecting(
            1,
            1_000,
            retries,
            Duration.ofMillis(50),
            Duration.ofSeconds(2),
            Duration.ofSeconds(10),
            poolSize,
            http,
            history),
        new Judging(level, drain, false, objectives),
        disturbance,
        "ab12",
        7);
  }
}
