package dev.chatflow.server;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * Sends the same number of messages over HTTP and over WebSocket, with one in flight per user.
 * Prints throughput, latency until the acknowledgement (201, or the broadcast) and whether a
 * watcher in each room got each message exactly once.
 *
 * <p>Needs only the JDK: {@code java PublishLoad.java URL [MESSAGES [IN_FLIGHT]]}.
 */
public final class PublishLoad {

  private static final int WATCHER = 100_000;
  private static final long PATIENCE_SECONDS = 60;
  private static final long LOOK_NANOS = 1_000_000;

  private final String authority;
  private final int messages;
  private final int users;
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private PublishLoad(String authority, int messages, int users) {
    this.authority = authority;
    this.users = users;
    this.messages = messages;
  }

  /** Runs both, after a short warm-up of each. */
  public static void main(String[] arguments) throws Exception {
    String authority = URI.create(arguments[0]).getAuthority();
    int messages = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 10_000;
    int users = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 64;
    new PublishLoad(authority, messages / 5, users).run("warm-up");
    for (int i = 1; i <= 3; i++) {
      new PublishLoad(authority, messages, users).run("run " + i);
    }
  }

  private void run(String name) throws Exception {
    report(name + " HTTP     ", (user, id) -> post(user, id));
    List<Socket> senders = new ArrayList<>();
    for (int user = 1; user <= users; user++) {
      senders.add(new Socket(user, user));
    }
    report(name + " WebSocket", (user, id) -> senders.get(user - 1).say(id));
    senders.forEach(Socket::close);
  }

  /** Sends one message and waits for its acknowledgement. */
  @FunctionalInterface
  private interface Way {
    void send(int user, String id) throws Exception;
  }

  private void report(String name, Way way) throws Exception {
    List<Socket> watchers = new ArrayList<>();
    for (int room = 1; room <= users; room++) {
      watchers.add(new Socket(room, WATCHER - room));
    }
    long[] nanos = new long[messages];
    long started = System.nanoTime();
    try (ExecutorService senders = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> all = new ArrayList<>();
      for (int user = 1; user <= users; user++) {
        int one = user;
        all.add(
            senders.submit(() -> {
              sendAll(way, one, Long.toString(started, Character.MAX_RADIX), nanos);
              return null;
            }));
      }
      for (Future<?> one : all) {
        one.get();
      }
    }
    double seconds = (System.nanoTime() - started) / 1e9;
    int wrong = 0;
    for (int room = 1; room <= users; room++) {
      wrong += watchers.get(room - 1).missingOrRepeated(share(room));
    }
    watchers.forEach(Socket::close);
    Arrays.sort(nanos);
    System.out.printf(
        Locale.ROOT,
        "%s: %,d messages, %d in flight: %.2f s, %,.0f/s, p50 %.1f ms, p99 %.1f ms, max %.1f ms;"
            + " lost or repeated: %d%n",
        name,
        nanos.length,
        users,
        seconds,
        nanos.length / seconds,
        nanos[nanos.length / 2] / 1e6,
        nanos[nanos.length * 99 / 100] / 1e6,
        nanos[nanos.length - 1] / 1e6,
        wrong);
  }

  /** Returns the number of messages of a user, whose room has the same number. */
  private int share(int user) {
    return messages / users + (user <= messages % users ? 1 : 0);
  }

  private void sendAll(Way way, int user, String run, long[] nanos) throws Exception {
    for (int i = 0; i < share(user); i++) {
      long began = System.nanoTime();
      way.send(user, run + "-" + user + "-" + i);
      nanos[i * users + user - 1] = System.nanoTime() - began;
    }
  }

  private static String frame(String type, int user, String id) {
    return "{\"messageType\":\"%s\",\"userId\":%d,\"username\":\"user%d\",\"message\":\"hello\",\"timestamp\":\"2026-11-20T18:46:00Z\",\"messageId\":\"%s\"}"
        .formatted(type, user, user, id);
  }

  private void post(int user, String id) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create("http://" + authority + "/api/rooms/" + user + "/messages"))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(frame("TEXT", user, id)))
            .build();
    HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
    if (response.statusCode() != 201) {
      throw new IllegalStateException(response.statusCode() + ": " + response.body());
    }
  }

  /** A member of a room that keeps the frames it gets. */
  private final class Socket implements WebSocket.Listener {
    private final int user;
    private final BlockingQueue<String> own = new LinkedBlockingQueue<>();
    private final ConcurrentHashMap<String, LongAdder> texts = new ConcurrentHashMap<>();
    private final StringBuilder pieces = new StringBuilder();
    private final WebSocket socket;

    Socket(int room, int user) throws Exception {
      this.user = user;
      URI uri = URI.create("ws://" + authority + "/chat/" + room);
      this.socket = http.newWebSocketBuilder().buildAsync(uri, this).join();
      socket.sendText(frame("JOIN", user, "join"), true).join();
      await();
    }

    private void await() throws InterruptedException {
      if (own.poll(PATIENCE_SECONDS, TimeUnit.SECONDS) == null) {
        throw new IllegalStateException("nothing came back to user " + user);
      }
    }

    void say(String id) throws Exception {
      socket.sendText(frame("TEXT", user, id), true).join();
      await();
    }

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
      pieces.append(data);
      if (last) {
        take(pieces.toString());
        pieces.setLength(0);
      }
      from.request(1);
      return CompletableFuture.completedFuture(data);
    }

    private void take(String frame) {
      if (frame.contains("\"messageType\":\"TEXT\"")) {
        texts.computeIfAbsent(frame.split("\"", -1)[27], _ -> new LongAdder()).increment();
      }
      if (frame.contains("\"userId\":\"" + user + "\"")) {
        own.add(frame);
      }
    }

    /** Returns how many of the room's messages it did not get exactly once. */
    int missingOrRepeated(int expected) throws InterruptedException {
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
      while (texts.size() < expected && System.nanoTime() < end) {
        LockSupport.parkNanos(LOOK_NANOS);
      }
      int once = (int) texts.values().stream().filter(count -> count.sum() == 1).count();
      return Math.abs(expected - once) + texts.size() - once;
    }

    void close() {
      socket.sendClose(WebSocket.NORMAL_CLOSURE, "").join();
    }
  }
}
