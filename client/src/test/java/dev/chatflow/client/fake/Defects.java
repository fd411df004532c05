package dev.chatflow.client.fake;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Injects a defect into every n-th TEXT delivery of the server, up to a limit.
 *
 * <p>Thread-safe. Counts the injected defects.
 */
public final class Defects {

  public enum Kind {
    NONE,
    DROP,
    DUPLICATE,
    SWAP,
    CORRUPT,
    MISROUTE,
    PARTIAL,
    /** Broadcasts a resend a second time, just before the next text. */
    RESHOW
  }

  private final Kind kind;
  private final int everyNth;
  private final int limit;
  private final int lastSeq;
  private final AtomicLong deliveries = new AtomicLong();
  private final AtomicInteger done = new AtomicInteger();
  private final Map<String, String> heldBack = new ConcurrentHashMap<>();

  private Defects(Kind kind, int everyNth, int limit, int lastSeq) {
    this.kind = kind;
    this.lastSeq = lastSeq;
    this.everyNth = everyNth;
    this.limit = limit;
  }

  public static Defects none() {
    return new Defects(Kind.NONE, 1, 0, 0);
  }

  public static Defects of(Kind kind, int everyNth, int limit) {
    return new Defects(kind, everyNth, limit, 0);
  }

  /**
   * Swaps a copy with the sender's next one. The sender's last text, {@code lastSeq}, is not
   * swapped.
   */
  public static Defects swapping(int everyNth, int limit, int lastSeq) {
    return new Defects(Kind.SWAP, everyNth, limit, lastSeq);
  }

  /** Returns the number of injected defects. */
  public int done() {
    return done.get();
  }

  boolean reshows() {
    return kind == Kind.RESHOW;
  }

  boolean isPartial() {
    return kind == Kind.PARTIAL && isDefective();
  }

  void deliver(
      FakeSession receiver, String sender, String frame, Supplier<@Nullable FakeSession> stranger) {
    String key = System.identityHashCode(receiver) + "/" + sender;
    String held = heldBack.remove(key);
    if (held != null) {
      receiver.send(frame);
      receiver.send(held);
      return;
    }
    boolean nothingFollows = kind == Kind.SWAP && seqOf(frame) >= lastSeq;
    boolean unaffected = kind == Kind.NONE || kind == Kind.PARTIAL || kind == Kind.RESHOW;
    if (unaffected || nothingFollows || !isDefective()) {
      receiver.send(frame);
      return;
    }
    switch (kind) {
      case DUPLICATE -> {
        receiver.send(frame);
        receiver.send(frame);
      }
      case SWAP -> heldBack.put(key, frame);
      case CORRUPT -> receiver.send(corrupted(frame));
      case MISROUTE -> {
        receiver.send(frame);
        FakeSession other = stranger.get();
        if (other == null) {
          throw new IllegalStateException("no other room has a member to misroute to");
        }
        other.send(frame);
      }
      case DROP, NONE, PARTIAL, RESHOW -> {} // DROP delivers nothing
    }
  }

  private boolean isDefective() {
    if (deliveries.incrementAndGet() % everyNth != 0) {
      return false;
    }
    if (done.incrementAndGet() > limit) {
      done.decrementAndGet();
      return false;
    }
    return true;
  }

  private static int seqOf(String frame) {
    int head = frame.indexOf('~');
    return Integer.parseInt(frame.substring(head + 9, head + 15), 36);
  }

  private static String corrupted(String frame) {
    int text = frame.indexOf('~') + 40;
    char wrong = frame.charAt(text) == 'x' ? 'y' : 'x';
    return frame.substring(0, text) + wrong + frame.substring(text + 1);
  }
}
