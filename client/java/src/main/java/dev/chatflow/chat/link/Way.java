package dev.chatflow.chat.link;

import com.google.gson.JsonObject;
import dev.chatflow.chat.link.Membership.Told;
import java.net.URI;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The way into a room: one membership after the other, as the close table says. Comes back by
 * itself, and moves to a new connection before a token ends. Of its room's thread.
 */
public final class Way {

  private static final long STEADY = 5_000; // ms in the room that make up for earlier failures
  private static final long LASTING = 30_000; // the same where a token that ended was short-lived
  private static final long GIVEN_UP = 30_000; // ms in which an own attempt may be let in late
  private static final long NEVER = Long.MAX_VALUE;

  /** What happens on the way. */
  public interface Events {

    /**
     * The next connection uses this token; null: none.
     *
     * @throws IllegalArgumentException when it names no user, or another one than before
     */
    void comes(@Nullable String token);

    /** Makes the JOIN, which may name a frame in {@code after}. */
    JsonObject join();

    void connecting();

    void joining();

    /** Not connected until then, in ms since 1970. */
    void waiting(String why, long until);

    /** It does not come back. */
    void stopped(String why, String code);

    /** In the room. */
    void arrived(Arrival arrival);

    void live(JsonObject broadcast);

    void members(JsonObject list);

    void pastIsFull(Past past);

    void failed(JsonObject error);

    void away(int code, boolean wasIn);
  }

  /**
   * Being in the room.
   *
   * @param people the list that counts the own JOIN; null where the server tells none
   * @param hasMoved whether it replaces a connection that was in the room, too
   */
  public record Arrival(
      JsonObject join, Past past, @Nullable JsonObject people, boolean hasMoved) {}

  private final Net net;
  private final URI address;
  private final Tokens tokens;
  private final Loop loop;
  private final Events on;
  private final Membership.Owner owner = new Owner();
  private @Nullable Membership current;
  private @Nullable Membership next; // that is to take its place
  private int turn; // attempts so far: an answer to an older one is late
  private @Nullable String stale; // the token that is not to be used again
  private boolean isRefused;
  private int failures;
  private long hereSince = NEVER;
  private long gaveUpAt = -GIVEN_UP - 1;
  private Loop.Timer retry = Loop.Timer.NONE;
  private Loop.Timer renewal = Loop.Timer.NONE;

  public Way(Net net, URI address, Tokens tokens, Loop loop, Events on) {
    this.net = net;
    this.address = address;
    this.tokens = tokens;
    this.loop = loop;
    this.on = on;
  }

  public boolean isIn() {
    return current != null && current.isIn();
  }

  /** Sends to the room one is in. */
  public void send(String frame) {
    Objects.requireNonNull(current).send(frame);
  }

  /** Goes, and comes back until {@link #close}. */
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
      stop("" + code, Closes.after(code, "", 0, 0).why() + ", and there is no other");
      return;
    }
    try {
      on.comes(token);
      current = membership(token);
    } catch (IllegalArgumentException e) {
      stop("TOKEN", String.valueOf(e.getMessage()));
    }
  }

  /** Nothing of before counts any more; the number of the attempt that begins. */
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
    return new Membership(net, address, token, loop, owner);
  }

  private Closes.Verdict verdict(int code, String reason) {
    return Closes.after(code, reason, failures++, loop.chance());
  }

  private void comeBack(long delay, String why) {
    retry = loop.after(delay, this::open);
    on.waiting(why, loop.now() + delay);
  }

  private void stop(String code, String why) {
    giveUp();
    on.stopped(why, code);
  }

  // --- what memberships tell; of one that is only to come, its arrival and its end alone

  private final class Owner implements Membership.Owner {

    @Override
    public JsonObject join() {
      return on.join();
    }

    @Override
    public void told(Membership from, Told what) {
      switch (what) {
        case Told.Arrived(JsonObject join, Past past) -> inTheRoom(from, join, past);
        case Told.PastIsFull(Past past) -> on.pastIsFull(past);
        case Told.Ended _, Told.TurnedAway _ when from == next -> dropNext();
        default -> {
          if (from == current) {
            toldByCurrent(from, what);
          }
        }
      }
    }
  }

  private void toldByCurrent(Membership from, Told what) {
    switch (what) {
      case Told.Joining() -> on.joining();
      case Told.Members(JsonObject list) -> on.members(list);
      case Told.Live(JsonObject broadcast) -> on.live(broadcast);
      case Told.Failed(JsonObject error) -> on.failed(error);
      case Told.PutOff(JsonObject error) ->
          on.waiting(
              "not let in: " + Frames.text(error, "error"),
              loop.now() + Frames.number(error, "retryAfterMs"));
      case Told.TurnedAway(JsonObject error) ->
          stop(Frames.text(error, Frames.ERROR_CODE), "not let in: " + Frames.refusal(error));
      case Told.Ended(int code, String reason) -> lost(from, code, reason);
      case Told.Arrived _, Told.PastIsFull _ -> {} // of both alike
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
    if (next != null) { // it was to come in any case
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
      stop("" + code, verdict.why());
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

  /** Comes in anew and then lets go of the old connection, which its server closes by itself. */
  private void renew(Membership from) {
    String old = from.token();
    loop.aside(
        () -> tokens.get(old),
        token -> {
          if (from == current && from.isIn() && token != null && !token.equals(old)) {
            takeOver(token);
          }
        },
        _ -> {}); // the old one ends, and that is said then
  }

  /** A wrong token is reported when the old one has ended. */
  private void takeOver(String token) {
    try {
      on.comes(token);
      next = membership(token);
    } catch (IllegalArgumentException _) {
      dropNext();
    }
  }
}
