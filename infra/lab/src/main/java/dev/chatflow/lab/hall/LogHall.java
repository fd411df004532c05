package dev.chatflow.lab.hall;

import dev.chatflow.room.Member;
import dev.chatflow.room.RoomEvent;
import dev.chatflow.room.RoomId;
import dev.chatflow.room.Rooms;
import dev.chatflow.room.RoomsConfig;
import dev.chatflow.room.fanout.FanOut;
import dev.chatflow.room.fanout.FanOutConfig;
import dev.chatflow.room.log.Payload;
import dev.chatflow.server.edge.tomcat.SinkMembers;
import jakarta.websocket.Session;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The product's rooms: logs, cursors, rounds and one of its sinks. What a server reads from its
 * broker comes here straight from the connections, through one bounded queue for each consumer
 * thread.
 */
final class LogHall implements Hall {

  private static final int WAITING = 1 << 16;
  private static final int MAX_PACE_MILLIS = 25;
  private static final int LOG_BYTES = 4 << 20;
  private static final long TOTAL_LOG_BYTES = 64 << 20;
  private static final long PAST_BYTES = 1 << 20;
  private static final int MAX_LAG_BYTES = 256 << 10;
  private static final int TICK_MILLIS = 50;

  private final SinkMembers sinks;
  private final FanOut fanOut;
  private final List<Consumer> consumers;
  private final AtomicInteger lastUser = new AtomicInteger();

  LogHall(SinkMembers sinks) {
    this.sinks = sinks;
    int cores = Runtime.getRuntime().availableProcessors();
    fanOut = new FanOut(new FanOutConfig(cores, 4_096, Duration.ofMillis(MAX_PACE_MILLIS)));
    RoomsConfig config =
        new RoomsConfig(
            cores,
            LOG_BYTES,
            TOTAL_LOG_BYTES / cores,
            PAST_BYTES,
            MAX_LAG_BYTES,
            Duration.ofSeconds(15));
    consumers =
        IntStream.range(0, cores).mapToObj(_ -> new Consumer(new Rooms(config, fanOut))).toList();
    fanOut.start();
    consumers.forEach(consumer -> consumer.thread.start());
  }

  @Override
  public Seat join(Session session, String room, String text) {
    RoomId id = new RoomId(room);
    Member member = sinks.member(session);
    Consumer consumer = consumers.get(Math.floorMod(room.hashCode(), consumers.size()));
    String user = Integer.toString(lastUser.incrementAndGet());
    RoomEvent joined = new RoomEvent.Joined(user, member.session(), false, payload(text));
    consumer.put(new Event(id, joined, member));
    return new Seat() {
      @Override
      public void say(String more) {
        consumer.put(new Event(id, new RoomEvent.Said(payload(more)), member));
      }

      @Override
      public void leave() {
        sinks.ended(member);
        consumer.put(
            new Event(id, new RoomEvent.Left(user, member.session(), false, payload("{}")), null));
      }
    };
  }

  private static Payload payload(String text) {
    return new Payload(text.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public long writes() {
    return fanOut.writes();
  }

  @Override
  public long deliveries() {
    return fanOut.deliveries();
  }

  @Override
  public void close() {
    consumers.forEach(consumer -> consumer.thread.interrupt());
    fanOut.close();
    sinks.close();
  }

  private record Event(RoomId room, RoomEvent event, @Nullable Member own) {}

  /** What a consumer thread of the server is, without broker. */
  private static final class Consumer implements Runnable {
    private final Rooms rooms;
    private final BlockingQueue<Event> queue = new ArrayBlockingQueue<>(WAITING);
    private final Thread thread = Thread.ofPlatform().name("bench-consumer").unstarted(this);

    Consumer(Rooms rooms) {
      this.rooms = rooms;
    }

    void put(Event event) {
      try {
        queue.put(event);
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public void run() {
      List<Event> batch = new ArrayList<>();
      long ticked = 0;
      try {
        while (true) {
          Event first = queue.poll(TICK_MILLIS, TimeUnit.MILLISECONDS);
          long now = System.currentTimeMillis();
          if (first != null) {
            batch.add(first);
            queue.drainTo(batch, 500);
            for (Event event : batch) {
              rooms.show(event.room(), event.event(), event.own());
            }
            batch.clear();
          }
          if (now - ticked >= TICK_MILLIS) {
            rooms.tick();
            ticked = now;
          }
        }
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
