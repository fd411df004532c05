package dev.chatflow.server.publish;

import dev.chatflow.broker.Lane;
import dev.chatflow.log.ClusterTime;
import dev.chatflow.log.Digest;
import dev.chatflow.log.OwnLane;
import dev.chatflow.log.PresenceHeaders;
import dev.chatflow.message.ChatMessage;
import dev.chatflow.message.LineWriter;
import dev.chatflow.support.BackOff;
import dev.chatflow.support.StepThread;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Publishes one shard's messages to its log: one entry in flight, repeated until it is confirmed.
 *
 * <p>Passive: {@link #step} does the work that is due and waits only for a channel. One thread
 * steps; any thread offers; the reader of the log reports what came back.
 *
 * <p>A lane's order is kept on any channel, because there is never a second entry in flight.
 */
public final class PublishLane implements OwnLane, StepThread.Passive {

  private static final long FOREVER_NANOS = TimeUnit.DAYS.toNanos(1);

  /** Resolution at which an attempt's timeout follows the broker's blocking and unblocking. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private static final byte[] NOTHING = {};
  private static final LaneSender NOBODY = () -> {};

  private static final int FIRST_RETRY_MILLIS = 10;
  private static final int MAX_RETRY_MILLIS = 320;

  /** An attempt and its outcome. */
  private final class Try implements Consumer<Confirm> {
    private Uplink.@Nullable Attempt attempt;
    private long lookedNanos;
    private long leftNanos = bounds.confirmTimeout().toNanos();
    private volatile @Nullable Confirm outcome;

    Try(long now) {
      lookedNanos = now;
    }

    @Override
    public void accept(Confirm confirm) {
      outcome = confirm;
      wake.run();
    }

    /** Returns the outcome; null while there is none. */
    @Nullable Confirm at(long now) {
      Confirm known = outcome;
      if (known == null && !uplink.isBlocked()) {
        leftNanos -= now - lookedNanos;
      }
      lookedNanos = now;
      return known == null && leftNanos <= 0 ? new Confirm.TimedOut() : known;
    }

    void abandon() {
      Uplink.Attempt begun = attempt;
      if (begun != null) {
        begun.abandon();
      }
    }
  }

  private final EntryBuilder builder;
  private final LaneBounds bounds;
  private final Uplink uplink;
  private final LaneMeter meter;
  private final Runnable wake;
  private final LaneBook book = new LaneBook();
  private final LaneQueue queue;
  private final LanePresence presence = new LanePresence();
  private final FlightPace pace = new FlightPace();
  private final BackOff retries = new BackOff(FIRST_RETRY_MILLIS, MAX_RETRY_MILLIS);
  private final AtomicBoolean unwanted = new AtomicBoolean();

  private volatile boolean beaconWanted;
  private volatile boolean attached;
  private volatile boolean leaving;
  private volatile long recoverUpTo;

  // Used only by the stepping thread.
  private @Nullable LaneEntry inTheAir;
  private @Nullable Try attempt;
  private int attempts;
  private long publishedNanos;
  private long retryNanos;
  private long nextBeaconNanos;

  /**
   * Creates a lane that accepts nothing until it is {@link #attached}.
   *
   * @param wake wakes the thread that steps
   */
  public PublishLane(
      Lane name,
      ClusterTime time,
      LaneBounds bounds,
      Uplink uplink,
      LaneMeter meter,
      Runnable wake) {
    this.builder = new EntryBuilder(name, time);
    this.bounds = bounds;
    this.uplink = uplink;
    this.meter = meter;
    this.wake = wake;
    this.queue = new LaneQueue(bounds.queueBytes(), book);
  }

  /** Accepts a line, see {@link LaneQueue#offer}. */
  public OfferResult offer(LongFunction<WaitingLine> line, LaneSender sender) {
    boolean first = queue.isEmpty();
    OfferResult offer = queue.offer(line, sender);
    if (first && offer != OfferResult.NOT_NOW) {
      wake.run();
    }
    return offer;
  }

  /** Publishes the entry in flight again, if there is one. */
  @Override
  public void restart(String why, long nowNanos) {
    Try current = attempt;
    attempt = null;
    retryNanos = nowNanos;
    if (current != null) {
      current.abandon();
    }
  }

  /** Returns whether an accepted line is not confirmed or not read back. */
  public boolean waits() {
    return attached && !(book.isEmpty() && queue.isEmpty());
  }

  /** Returns the amount confirmed and read back; it only grows. */
  public long done() {
    return book.confirmed() + book.read();
  }

  @Override
  public long step(long now) {
    LaneEntry entry = inTheAir;
    if (entry == null) {
      return untilDue(now) > 0 ? untilDue(now) : begin(now);
    }
    Try current = attempt;
    if (current == null) {
      return now - retryNanos < 0 ? retryNanos - now : publish(entry, now);
    }
    Confirm outcome = current.at(now);
    if (outcome == null) {
      return Math.min(LOOK_NANOS, Math.max(1, current.leftNanos));
    }
    attempt = null;
    if (outcome instanceof Confirm.Acked) {
      confirmed(entry, now);
    } else {
      current.abandon();
      failed(entry, outcome, now);
    }
    return 0;
  }

  private long untilDue(long now) {
    if (!queue.isEmpty() || beaconWanted || presence.isHurried()) {
      return pace.untilNextNanos(now);
    }
    return attached ? Math.max(0, nextBeaconNanos - now) : FOREVER_NANOS;
  }

  private long begin(long now) {
    beaconWanted = false; // before the number: a later request gets another one
    LaneEntry entry = build();
    book.built(entry);
    inTheAir = entry;
    attempts = 0;
    retries.reset();
    pace.sent(now);
    return publish(entry, now);
  }

  private LaneEntry build() {
    PresenceHeaders presenceHeaders = presence.takePresenceHeaders();
    boolean alone = presenceHeaders.lostLanes().contains(name());
    byte[] page = alone ? NOTHING : presence.takePage(!queue.isEmpty());
    return page == null
        ? builder.build(queue, book.begin(), book.nameable(), presenceHeaders)
        : builder.page(page, book.begin(), book.nameable(), presenceHeaders);
  }

  private long publish(LaneEntry entry, long now) {
    if (!uplink.isOpen()) {
      retryNanos = now + LOOK_NANOS;
      return LOOK_NANOS;
    }
    attempts++;
    publishedNanos = now;
    if (attempts == 1 && entry.hasLines()) {
      meter.waited(nanos(now - entry.acceptedNanos()));
    }
    book.published(entry.number(), now);
    Try next = new Try(now);
    attempt = next;
    next.attempt = uplink.send(entry, next);
    return next.outcome == null ? LOOK_NANOS : 0;
  }

  private void confirmed(LaneEntry entry, long now) {
    inTheAir = null;
    unwanted.set(false);
    book.confirmed(entry.number(), now);
    openIfRecovered();
    nextBeaconNanos = now + bounds.beaconEvery().toNanos();
    meter.confirmed(entry.lines(), Duration.ofNanos(now - publishedNanos), attempts - 1);
  }

  private void failed(LaneEntry entry, Confirm outcome, long now) {
    if (outcome instanceof Confirm.Returned || outcome instanceof Confirm.Nacked) {
      unwanted.set(true); // the embedded broker nacks unroutable entries
    }
    retryNanos = now + TimeUnit.MILLISECONDS.toNanos(retries.nextMillis());
    meter.failed(entry.number(), outcome);
  }

  // --- events of the reader

  @Override
  public Lane name() {
    return builder.lane();
  }

  @Override
  public long beacon() {
    long number = book.given() + 1;
    beaconWanted = true;
    wake.run();
    return number;
  }

  @Override
  public void publish(ChatMessage message, long nowNanos) {
    OfferResult _ =
        offer(
            read ->
                new WaitingLine(
                    message.room(),
                    LineWriter.line(message),
                    message.messageId(),
                    message.content().type(),
                    read,
                    nowNanos,
                    null),
            NOBODY);
  }

  @Override
  public long confirmed() {
    return book.confirmed();
  }

  @Override
  public void attached() {
    attached = true;
    openIfRecovered();
    wake.run();
  }

  @Override
  public void detached() {
    attached = false;
    presence.forget();
    queue.close();
  }

  @Override
  public void read(long number, long arrivedNanos) {
    book.publishedNanos(number).ifPresent(at -> meter.readBack(nanos(arrivedNanos - at)));
    List<LaneEntry> back = book.readUpTo(number);
    for (LaneEntry entry : back) {
      if (entry.hasLines()) {
        meter.shown(nanos(arrivedNanos - entry.acceptedNanos()));
      }
    }
    settle(back, Fate::back);
    openIfRecovered();
  }

  @Override
  public void late(long number) {
    List<WaitingLine> dropped = queue.drop();
    recoverUpTo = book.given();
    settle(book.readUpTo(number), Fate::dropped);
    tell(dropped);
    openIfRecovered();
  }

  @Override
  public void lost() {
    attached = false;
    presence.forget();
    List<WaitingLine> dropped = queue.drop();
    recoverUpTo = 0;
    settle(book.forget(), Fate::unknown);
    tell(dropped);
  }

  /**
   * Opens the queue if the lane has recovered. A line names what was read, and a number that was
   * published twice cannot be named, so another entry is sent.
   */
  private void openIfRecovered() {
    if (!attached || isRecovering()) {
      return;
    }
    if (book.nameable() == 0) {
      beaconWanted = true;
      wake.run();
      return;
    }
    queue.open();
  }

  /** Returns whether anything sent before a late entry was read is not back. */
  private boolean isRecovering() {
    return book.read() < recoverUpTo;
  }

  private static Duration nanos(long difference) {
    return Duration.ofNanos(Math.max(0, difference));
  }

  private void settle(List<LaneEntry> entries, Consumer<Fate> fate) {
    long bytes = 0;
    for (LaneEntry entry : entries) {
      // newlines between lines
      bytes += entry.hasLines() ? entry.body().length - (entry.lines() - 1) : 0;
      entry.fates().forEach(fate);
    }
    if (bytes > 0) {
      queue.back(bytes);
    }
  }

  private static void tell(List<WaitingLine> dropped) {
    for (WaitingLine each : dropped) {
      Fate fate = each.fate();
      if (fate != null) {
        fate.dropped();
      }
    }
  }

  @Override
  public void activeLanes(int lanes) {
    pace.activeLanes(lanes);
  }

  /** Notes the share of the machine's CPU in use, 0 to 1; see {@link FlightPace}. */
  public void machineLoad(double load) {
    pace.machineLoad(load);
  }

  @Override
  public long unreadNanos(long nowNanos) {
    return book.unreadNanos(nowNanos);
  }

  /**
   * Announces once that the server stops.
   *
   * @return whether the announcement is in the log
   */
  public boolean farewell() {
    if (attached && !leaving) {
      leaving = true;
      announceLost(List.of(name()));
    }
    return !attached || (!presence.isHurried() && book.isEmpty());
  }

  // --- presence

  @Override
  public void requestSnapshots(long request, boolean begins) {
    presence.requestSnapshots(request);
    if (begins) {
      presence.announceLost(List.of(name()));
    }
    wake.run();
  }

  @Override
  public void announceLost(List<Lane> lanes) {
    presence.announceLost(lanes);
    wake.run();
  }

  @Override
  public void announceMembers(Digest members) {
    presence.announceMembers(members);
  }

  @Override
  public void sendSnapshot(List<byte[]> pages) {
    presence.sendSnapshot(pages);
    wake.run();
  }

  @Override
  public boolean takeUnwanted() {
    return unwanted.getAndSet(false);
  }

  @Override
  public boolean isIdle() {
    return queue.isEmpty() && queue.bytes() == 0;
  }

  /** Returns the number of waiting lines. */
  public int waiting() {
    return queue.size();
  }

  /** Returns the number of entries so far. */
  public long entries() {
    return book.given();
  }

  /** Returns whether the bytes that are not back are within the bound. */
  public boolean belowBound() {
    return queue.bytes() <= bounds.queueBytes();
  }

  public boolean belowHalf() {
    return 2 * queue.bytes() < bounds.queueBytes();
  }

  /** Returns whether lines are accepted now. */
  public boolean isTaking() {
    return queue.isOpen();
  }

  /** Returns the bytes of lines that wait or are not back. */
  public long bytes() {
    return queue.bytes();
  }
}
