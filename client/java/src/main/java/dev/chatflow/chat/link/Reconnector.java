package dev.chatflow.chat.link;

import com.google.gson.JsonObject;
import dev.chatflow.chat.link.Membership.Event;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a room joined: one membership after another, as the table of close codes demands.
 * Reconnects automatically, and moves to a new connection before a token ends. Used only by the
 * room's thread.
 */
public final class Reconnector {

  private static final long STEADY =
      5_000; // ms in the room after which earlier failures no longer count
  private static final long LASTING = 30_000; // the same after the end of a short-lived token
  private static final long GIVEN_UP =
      30_000; // ms during which an abandoned attempt may still be accepted
  private static final long NEVER = Long.MAX_VALUE;

  /** Receives the events of the connection. */
  public interface Events {

    /**
     * Reports the token of the next connection; null for none.
     *
     * @throws IllegalArgumentException if it names no user, or a different one than before
     */
    void comes(@Nullable String token);

    /** Builds the JOIN, which may name a frame in {@code after}. */
    JsonObject join();

    void connecting();

    void joining();

    /** Reports that the next attempt is at this time, in ms since 1970. */
    void waiting(String why, long until);

    /** Reports that no further attempt follows. Only the code CLOSED has a close code. */
    void stopped(String why, String code, int closeCode);

    /** Reports that the room is joined. */
    void arrived(Arrival arrival);

    void live(JsonObject broadcast);

    void members(JsonObject list);

    void pastIsFull(Past past);

    void failed(JsonObject error);

    void away(int code, boolean wasIn);
  }

  /**
   * A completed JOIN.
   *
   * @param people the list that includes this JOIN; null if the server sent none
   * @param hasMoved whether it replaces a connection that was in the room too
   */
  public record Arrival(
      JsonObject join, Past past, @Nullable JsonObject people, boolean hasMoved) {}

  private final Net net;
  private final Servers servers;
  private final String path;
  private final Tokens tokens;
  private final Loop loop;
  private final Events on;
  private final Membership.Owner owner = new Owner();
  private @Nullable Membership current;
  private @Nullable Membership next; // the connection that will replace the current one
  private int turn; // number of attempts: an answer to an older one is ignored
  private @Nullable String stale; // the token not to use again
  private boolean isRefused;
  private int failures;
  private long hereSince = NEVER;
  private long gaveUpAt = -GIVEN_UP - 1;
  private Loop.Timer retry = Loop.Timer.NONE;
  private Loop.Timer renewal = Loop.Timer.NONE;

  /**
   * Creates it without connecting.
   *
   * @param path the path of the room's WebSocket, relative to the address of a server
   */
  public Reconnector(Net net, Servers servers, String path, Tokens tokens, Loop loop, Events on) {
    this.net = net;
    this.servers = servers;
    this.path = path;
    this.tokens = tokens;
    this.loop = loop;
    this.on = on;
  }

  public boolean isIn() {
    return current != null && current.isIn();
  }

  /** Sends a frame to the joined room. */
  public void send(String frame) {
    Objects.requireNonNull(current).send(frame);
  }

  /** Joins and reconnects until {@link #close}. */
  public void open() {
    int attempt = giveUp();
    on.connecting();
    if (tokens.isUsed()) {
      String unwanted = stale;
      loop.aside(
          () -> tokens.get(unwanted),
          token -> ifStill(attempt, () -> enter(token)),
          failure ->
              ifStill(
                  attempt,
                  () -> comeBack(verdict(Closes.SILENT, "").delay(), "no token: " + failure)));
    } else {
      enter(null);
    }
  }

  public void close() {
    giveUp();
    hereSince = NEVER;
  }

  private void ifStill(int attempt, Runnable then) {
    if (attempt == turn) {
      then.run();
    }
  }

  private void enter(@Nullable String token) {
    if (token != null && token.equals(stale)) {
      int code = isRefused ? Closes.REFUSED : Closes.EXPIRED;
      stop("CLOSED", Closes.after(code, "", 0, 0).why() + ", and there is no other", code);
      return;
    }
    try {
      on.comes(token);
      current = membership(token);
    } catch (IllegalArgumentException e) {
      stop("TOKEN", String.valueOf(e.getMessage()), 0);
    }
  }

  /** Abandons all earlier attempts. Returns the number of the new one. */
  private int giveUp() {
    retry.cancel();
    renewal.cancel();
    if (current != null) {
      current.close();
    }
    dropNext();
    current = null;
    return ++turn;
  }

  private void dropNext() {
    if (next != null) {
      next.close();
      next = null;
    }
  }

  private Membership membership(@Nullable String token) {
    return new Membership(net, servers.current(), path, token, loop, owner);
  }

  private Closes.Verdict verdict(int code, String reason) {
    int rounds = failures++ / servers.count(); // the wait grows when all servers have failed
    return Closes.after(code, reason, rounds, loop.chance());
  }

  private void comeBack(long delay, String why) {
    retry = loop.after(delay, this::open);
    on.waiting(why, loop.now() + delay);
  }

  private void stop(String code, String why, int closeCode) {
    giveUp();
    on.stopped(why, code, closeCode);
  }

  // --- events of memberships; of the next one only its arrival and its end count

  private final class Owner implements Membership.Owner {

    @Override
    public JsonObject join() {
      return on.join();
    }

    @Override
    public void happened(Membership from, Event what) {
      switch (what) {
        case Event.Arrived(JsonObject join, Past past) -> inTheRoom(from, join, past);
        case Event.PastIsFull(Past past) -> on.pastIsFull(past);
        case Event.Ended ignored when from == next -> dropNext();
        case Event.Refused ignored when from == next -> dropNext();
        default -> {
          if (from == current) {
            happenedInCurrent(from, what);
          }
        }
      }
    }
  }

  private void happenedInCurrent(Membership from, Event what) {
    switch (what) {
      case Event.Joining() -> on.joining();
      case Event.Members(JsonObject list) -> on.members(list);
      case Event.Live(JsonObject broadcast) -> on.live(broadcast);
      case Event.Failed(JsonObject error) -> on.failed(error);
      case Event.Postponed(JsonObject error) ->
          on.waiting(
              "not accepted: " + Frames.text(error, "error"),
              loop.now() + Frames.number(error, "retryAfterMs"));
      case Event.Refused(JsonObject error) ->
          stop(Frames.text(error, Frames.ERROR_CODE), "not accepted: " + Frames.refusal(error), 0);
      case Event.Ended(int code, String reason) -> lost(from, code, reason);
      case Event.Arrived ignored -> {} // handled for both connections
      case Event.PastIsFull ignored -> {}
    }
  }

  private void inTheRoom(Membership from, JsonObject join, Past past) {
    boolean hasMoved = from == next;
    if (hasMoved) {
      if (current != null) {
        current.close();
      }
      current = from;
      next = null;
    }
    hereSince = loop.elapsed();
    tokens.follow(Instant.parse(Frames.text(join, Frames.TIME)).toEpochMilli());
    isRefused = false;
    stale = null;
    renewInTime(from);
    on.arrived(new Arrival(join, past, from.people(), hasMoved));
  }

  private void lost(Membership from, int code, String reason) {
    boolean wasJoining = !from.isIn();
    forgetCurrent(code);
    if (Closes.isForAnother(code, from.isIn())) {
      servers.failed(from.server());
    }
    if (next != null) { // a replacement was due anyway
      current = next;
      next = null;
      on.joining();
      return;
    }
    boolean isOver =
        from.token() != null && (code == Closes.EXPIRED || (code == Closes.REFUSED && !isRefused));
    if (isOver) {
      isRefused |= code == Closes.REFUSED;
      stale = from.token();
    }
    boolean isByItself = code == Closes.TAKEN_OVER && loop.elapsed() - gaveUpAt <= GIVEN_UP;
    gaveUpAt = wasJoining ? loop.elapsed() : isByItself ? -GIVEN_UP - 1 : gaveUpAt;
    Closes.Verdict verdict = verdict(code, reason);
    if (isOver && failures == 1) {
      comeBack(0, verdict.why());
    } else if (verdict.again() || isOver || isByItself) {
      comeBack(verdict.delay(), verdict.why());
    } else {
      stop("CLOSED", verdict.why(), code);
    }
  }

  private void forgetCurrent(int code) {
    renewal.cancel();
    current = null;
    boolean wasIn = hereSince != NEVER;
    if (wasIn && loop.elapsed() - hereSince > (code == Closes.EXPIRED ? LASTING : STEADY)) {
      failures = 0;
    }
    hereSince = NEVER;
    on.away(code, wasIn);
  }

  // --- a new token before the old one ends

  private void renewInTime(Membership from) {
    renewal.cancel();
    if (from.token() != null && tokens.isEnding()) {
      renewal = loop.after(Math.max(tokens.renewIn(), 0), () -> renew(from));
    }
  }

  /** Joins with a new token, then drops the old connection, which its server closes. */
  private void renew(Membership from) {
    String old = from.token();
    loop.aside(
        () -> tokens.get(old),
        token -> {
          if (from == current && from.isIn() && token != null && !token.equals(old)) {
            takeOver(token);
          }
        },
        ignored -> {}); // reported when the old connection ends
  }

  /** Takes over with a new token. An invalid one is reported when the old connection ends. */
  private void takeOver(String token) {
    try {
      on.comes(token);
      next = membership(token);
    } catch (IllegalArgumentException ignored) {
      dropNext();
    }
  }
}
