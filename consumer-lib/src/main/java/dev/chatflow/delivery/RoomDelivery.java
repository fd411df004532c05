package dev.chatflow.delivery;

import dev.chatflow.delivery.Connections.Sender;
import dev.chatflow.delivery.RoomMeter.Unshown;
import dev.chatflow.log.Arrival;
import dev.chatflow.log.LogReceiver;
import dev.chatflow.log.Stamp;
import dev.chatflow.log.Window.LineVerdict;
import dev.chatflow.message.Line;
import dev.chatflow.message.MembersFrame;
import dev.chatflow.message.MessageType;
import dev.chatflow.presence.Person;
import dev.chatflow.presence.ShardPresence;
import dev.chatflow.room.CloseReason;
import dev.chatflow.room.RoomEvent;
import dev.chatflow.room.RoomEvent.Newcomer;
import dev.chatflow.room.RoomId;
import dev.chatflow.room.Rooms;
import dev.chatflow.room.Shard;
import java.time.Duration;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Passes the lines of one shard to its rooms and reports to this server's connections which
 * messages came back. Used by the reader's thread.
 */
final class RoomDelivery implements LogReceiver {

  /** Interval of reports of a count that changes continuously. */
  private static final long COUNT_NANOS = Duration.ofSeconds(2).toNanos();

  private final Shard shard;
  private final Rooms rooms;
  private final Connections connections;
  private final RoomMeter meter;
  private final Returns returns;
  private final ShardPresence presence;
  private final QuietRooms quiet;

  // Quiet rooms with members on this server that have not received the newest count.
  private final Set<RoomId> counted = new HashSet<>();
  private boolean counting;
  private long countedNanos;
  private boolean tookPast;

  RoomDelivery(
      Shard shard,
      Rooms rooms,
      Connections connections,
      ShardPresence presence,
      QuietRooms quiet,
      RoomMeter meter) {
    this.shard = shard;
    this.rooms = rooms;
    this.connections = connections;
    this.presence = presence;
    this.quiet = quiet;
    this.meter = meter;
    this.returns = new Returns(connections);
    presence.watch(new PresenceWatch());
  }

  @Override
  public boolean hasSpace(Line.Message line) {
    return true; // a full log waits within the append
  }

  @Override
  public @Nullable String take(Line.Message line, LineVerdict verdict, Source source) {
    boolean isReturn = source == Source.OWN && !line.synthetic(); // sent by a connection itself
    Sender sender = isReturn ? sender(line.connectionId()) : null;
    note(line, verdict, source);
    switch (verdict) {
      case SHOWN -> {
        tookPast |= source == Source.PAST;
        show(line, sender);
      }
      case REPEAT -> {
        meter.unshown(Unshown.RESEND);
        if (sender != null) {
          sender.resendWasShown(line.message());
        }
      }
      case VOID -> stale(line, sender);
      case REFUSED -> {
        meter.unshown(Unshown.MUTED);
        if (source == Source.OWN) {
          connections.wasRefused(line);
        }
      }
    }
    return null;
  }

  private @Nullable Sender sender(@Nullable String connectionId) {
    return connectionId == null ? null : returns.count(connectionId);
  }

  private void note(Line.Message line, LineVerdict verdict, Source source) {
    switch (line.type()) {
      case JOIN -> {
        boolean counts = verdict == LineVerdict.SHOWN;
        connections.leaves().joinRead(line, counts, source == Source.PAST);
        Stamp stamp = counts ? Stamp.of(line) : null;
        if (stamp != null) {
          connections.joinWasRead(line.room(), line.who(), stamp);
        }
      }
      case LEAVE -> {
        connections.leaves().leaveRead(line);
        if (line.removed() && verdict == LineVerdict.SHOWN) {
          ofSenderOf(line, sender -> sender.wasRemoved(line.stamp()));
        } else if (source == Source.OTHER) {
          ofSenderOf(line, sender -> sender.wasLeft(line.stamp()));
        }
      }
      case TEXT, SIGNAL -> {}
    }
  }

  /** Reports a LEAVE that was published for a connection of this server, if it is one. */
  private void ofSenderOf(Line.Message leave, Consumer<Sender> report) {
    String connectionId = leave.connectionId();
    Sender sender = connectionId == null ? null : connections.find(connectionId);
    if (sender != null) {
      report.accept(sender);
    }
  }

  private void show(Line.Message line, @Nullable Sender sender) {
    RoomId id = line.room();
    if (line.type().changesMembership()) {
      count(id, line.quiet());
    }
    Newcomer newcomer = null;
    if (sender != null && line.type() == MessageType.JOIN) {
      newcomer = new Newcomer(sender.member(), sender.joinWasShown(line.stamp()));
      sendMembers(id, sender);
    }
    rooms.show(id, event(line, newcomer));
  }

  private void count(RoomId room, boolean isQuiet) {
    quiet.see(room, presence.of(room).size());
    if (isQuiet) {
      counted.add(room);
    }
  }

  private void sendMembers(RoomId room, Sender sender) {
    int names = sender.namesRequested();
    if (names != MembersFrame.NOT_ASKED) {
      int most = quiet.isQuiet(room) ? 0 : names;
      sender.sendMembers(PresenceList.frame(presence, room, most), presence.isComplete());
    }
  }

  /** Sends the new count to members of quiet rooms that requested the list. */
  private void tellCounts(long nowNanos) {
    if (counted.isEmpty()) {
      counting = false;
      return;
    }
    if (!counting) {
      counting = true;
      countedNanos = nowNanos; // later changes are sent at once
    }
    if (nowNanos - countedNanos < COUNT_NANOS) {
      return;
    }
    counting = false;
    for (RoomId room : counted) {
      byte[] frame = PresenceList.frame(presence, room, 0);
      for (Person person : presence.of(room).members()) {
        Sender sender = connections.find(person.connectionId());
        if (sender != null && sender.namesRequested() != MembersFrame.NOT_ASKED) {
          sender.sendMembers(frame, presence.isComplete());
        }
      }
    }
    counted.clear();
  }

  private final class PresenceWatch implements ShardPresence.Watch {

    /** Sends the list again to members whose last list was incomplete or has changed. */
    @Override
    public void completed(boolean changed) {
      PresenceList.Frames frames = new PresenceList.Frames(presence);
      presence.own((room, person) -> {
        Sender sender = connections.find(person.connectionId());
        if (sender != null
            && sender.namesRequested() != MembersFrame.NOT_ASKED
            && (changed || sender.hasIncompleteList())) {
          int names = quiet.isQuiet(new RoomId(room)) ? 0 : sender.namesRequested();
          sender.sendMembers(frames.of(new RoomId(room), names), true);
        }
      });
    }

    @Override
    public void ended(String connectionId) {
      Sender sender = connections.find(connectionId);
      if (sender != null) {
        sender.member().close(CloseReason.COME_BACK);
      }
    }
  }

  private static RoomEvent event(Line.Message line, @Nullable Newcomer newcomer) {
    return switch (line.type()) {
      case JOIN ->
          new RoomEvent.Joined(
              line.who(), connectionId(line), line.quiet(), line.payload(), newcomer);
      case LEAVE ->
          new RoomEvent.Left(line.who(), connectionId(line), line.quiet(), line.payload());
      case TEXT -> new RoomEvent.Said(line.payload());
      case SIGNAL -> new RoomEvent.Signalled(line.payload());
    };
  }

  private static String connectionId(Line.Message line) {
    return Objects.requireNonNullElse(line.connectionId(), "");
  }

  /**
   * Closes a connection whose JOIN was superseded before it was in the log, so that it reconnects.
   */
  private void stale(Line.Message line, @Nullable Sender sender) {
    meter.unshown(Unshown.STALE);
    if (sender != null && line.type() == MessageType.JOIN) {
      sender.member().close(CloseReason.COME_BACK);
    }
  }

  @Override
  public void pastRestarts() {
    if (tookPast) {
      tookPast = false;
      rooms.forget(shard);
      connections.leaves().pastRestarts(shard);
    }
  }

  @Override
  public void taken(Arrival arrival, int lines, Source source) {
    returns.tell();
    tellCounts(arrival.arrivedNanos());
    if (lines > 0 && source != Source.PAST) {
      meter.consumed(lines);
    }
    if (lines > 0 && source == Source.OWN) {
      meter.append(Duration.ofNanos(Math.max(0, System.nanoTime() - arrival.arrivedNanos())));
    }
  }

  @Override
  public void ownLate() {
    connections.closeConcerned(shard, CloseReason.COME_BACK, false);
  }

  @Override
  public void attached() {
    connections.leaves().attached(shard);
  }

  @Override
  public void lost(String why) {
    meter.gap();
    counted.clear();
    rooms.forget(shard);
    connections.leaves().lost(shard);
    connections.closeConcerned(shard, CloseReason.GAP, true);
  }

  @Override
  public void detached() {
    counted.clear();
    rooms.forget(shard);
  }

  @Override
  public boolean isNeeded() {
    return rooms.memberCount(shard) > 0
        || connections.isConcerned(shard)
        || connections.leaves().isAnyPending(shard);
  }
}
