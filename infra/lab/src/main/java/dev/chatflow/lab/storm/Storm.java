package dev.chatflow.lab.storm;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;

/**
 * A schedule of faults on several tracks, with a thread per track, so that faults of different
 * tracks overlap. Equal seed, tracks and length make equal schedules.
 */
public final class Storm {

  private final List<List<Strike>> strikes;

  private Storm(List<List<Strike>> strikes) {
    this.strikes = strikes;
  }

  /** Creates a schedule of this length. */
  public static Storm of(long seed, Duration length, List<Track> tracks) {
    Random random = new Random(seed);
    List<List<Strike>> strikes = new ArrayList<>();
    for (Track track : tracks) {
      strikes.add(plan(track, length, new Random(random.nextLong())));
    }
    return new Storm(strikes);
  }

  private static List<Strike> plan(Track track, Duration length, Random random) {
    List<Strike> plan = new ArrayList<>();
    long at = 0;
    while (true) {
      at += track.quiet() + random.nextLong(2 * track.quiet() + 1);
      Kind kind = track.kinds().get(random.nextInt(track.kinds().size()));
      long lasts = kind.shortest() + random.nextLong(kind.longest() - kind.shortest() + 1);
      int target = 1 + random.nextInt(track.targets());
      if (at + lasts > length.toMillis()) {
        return plan;
      }
      plan.add(new Strike(Duration.ofMillis(at), track, target, kind, Duration.ofMillis(lasts)));
      at += lasts;
    }
  }

  /** Returns all faults in chronological order. */
  public List<Strike> schedule() {
    return strikes.stream().flatMap(List::stream).sorted(Comparator.comparing(Strike::at)).toList();
  }

  /**
   * Runs the schedule. Faults that did not start before its end, because earlier ones took longer,
   * are dropped.
   *
   * @return number of faults
   * @throws ExecutionException if a fault failed to start or end
   */
  public int play(Duration length) throws ExecutionException, InterruptedException {
    long begun = System.nanoTime();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var tracks = new ExecutorCompletionService<Integer>(threads);
      strikes.forEach(track -> tracks.submit(() -> play(track, begun, length)));
      try {
        int faults = 0;
        for (int i = 0; i < strikes.size(); i++) {
          faults += tracks.take().get();
        }
        return faults;
      } finally {
        threads.shutdownNow(); // the others end their faults and start no more
      }
    }
  }

  private static int play(List<Strike> track, long begun, Duration length) throws Exception {
    int faults = 0;
    for (Strike strike : track) {
      sleepUntil(begun + strike.at().toNanos());
      long now = System.nanoTime();
      if (now - begun + strike.lasts().toNanos() > length.toNanos()) {
        return faults;
      }
      strike.kind().begin().to(strike.target());
      try {
        sleepUntil(now + strike.lasts().toNanos());
      } finally {
        strike.kind().end().to(strike.target());
      }
      faults++;
    }
    return faults;
  }

  private static void sleepUntil(long nanos) throws InterruptedException {
    while (nanos - System.nanoTime() > 0) {
      LockSupport.parkNanos(nanos - System.nanoTime());
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }
}
