package dev.chatflow.client.fake;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import javax.net.ServerSocketFactory;
import javax.net.ssl.SSLContext;

/**
 * A chat server on a free loopback port.
 *
 * <p>Each connection has two virtual threads: one reads and broadcasts under the room's lock, the
 * other writes.
 */
public final class FakeServer implements AutoCloseable {
  private final ServerSocket listener;
  private final Defects defects;
  private final String scheme;
  private final Map<String, FakeRoom> rooms = new ConcurrentHashMap<>();
  private final Set<FakeSession> sessions = ConcurrentHashMap.newKeySet();
  private final AtomicInteger upgradesToRefuse = new AtomicInteger();
  private final AtomicInteger connections = new AtomicInteger();
  private final AtomicInteger mostConnections = new AtomicInteger();
  private final AtomicLong deliveries = new AtomicLong();
  private final List<String> texts = new CopyOnWriteArrayList<>();
  private volatile long stalledUntil = System.nanoTime();
  private final AtomicInteger joinsToCut = new AtomicInteger();
  private final AtomicInteger postsToRefuse = new AtomicInteger();
  private volatile int postStatus = 201;
  private volatile boolean textOnly;
  private volatile boolean remembers;
  private final Map<String, Long> headers = new ConcurrentHashMap<>();
  private volatile String health = "200 OK";

  private FakeServer(ServerSocket listener, Defects defects, String scheme) {
    this.scheme = scheme;
    this.listener = listener;
    this.defects = defects;
  }

  public static FakeServer start(Defects defects) {
    return start(defects, ServerSocketFactory.getDefault(), "ws");
  }

  /** Starts a server with TLS. */
  public static FakeServer start(SSLContext identity) {
    return start(Defects.none(), identity.getServerSocketFactory(), "wss");
  }

  private static FakeServer start(Defects defects, ServerSocketFactory sockets, String scheme) {
    try {
      ServerSocket socket = sockets.createServerSocket(0, 512, InetAddress.getLoopbackAddress());
      FakeServer server = new FakeServer(socket, defects, scheme);
      Thread.ofPlatform().name("fake-accept").daemon().start(server::accept);
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static FakeServer start() {
    return start(Defects.none());
  }

  public String url() {
    return scheme + "://127.0.0.1:" + listener.getLocalPort() + "/chat";
  }

  /** Answers the next upgrades with 503. */
  public void refuseUpgrades(int count) {
    upgradesToRefuse.set(count);
  }

  public void health(String status) {
    health = status;
  }

  /** Answers the next posts with this status and does not broadcast them. */
  public void refusePosts(int status, int count) {
    postStatus = status;
    postsToRefuse.set(count);
  }

  /** Returns the status of the next post. */
  int postStatus() {
    return postsToRefuse.getAndUpdate(left -> Math.max(0, left - 1)) > 0 ? postStatus : 201;
  }

  /** Broadcasts only the text of each message, like some other servers. */
  public void textOnly() {
    textOnly = true;
  }

  /** Supports {@code after} and {@code history} in JOINs from now on. */
  public void remember() {
    remembers = true;
  }

  boolean remembers() {
    return remembers;
  }

  boolean isTextOnly() {
    return textOnly;
  }

  /** Returns the number of requests with this header line. */
  public long headers(String line) {
    return headers.getOrDefault(line, 0L);
  }

  /** Returns the number of different header lines with this prefix. */
  public long differentHeaders(String start) {
    return headers.keySet().stream().filter(line -> line.startsWith(start)).count();
  }

  void header(String line) {
    if (line.startsWith("X-") || line.startsWith("Authorization")) {
      headers.merge(line, 1L, Long::sum);
    }
  }

  /** Closes every connection with this code. */
  public void closeAll(int code, String reason) {
    sessions.forEach(session -> session.close(code, reason));
  }

  /** Returns the number of copies of broadcasts that were sent to members. */
  public long deliveries() {
    return deliveries.get();
  }

  /** Handles no messages for this time. */
  public void stall(Duration duration) {
    stalledUntil = System.nanoTime() + duration.toNanos();
  }

  /**
   * Returns the texts of the first hundred messages, without their heads, in the order of arrival.
   */
  public List<String> texts() {
    return texts;
  }

  /** Returns the maximum number of simultaneous member connections. */
  public int mostConnections() {
    return mostConnections.get();
  }

  void opened() {
    mostConnections.accumulateAndGet(connections.incrementAndGet(), Math::max);
  }

  void closed() {
    connections.decrementAndGet();
  }

  void received(String text) {
    if (text.length() > 32 && texts.size() < 100) {
      texts.add(text.substring(32));
    }
  }

  void delivered(int copies) {
    deliveries.addAndGet(copies);
  }

  void awaitStall() {
    long left = stalledUntil - System.nanoTime();
    while (left > 0) {
      LockSupport.parkNanos(left);
      left = stalledUntil - System.nanoTime();
    }
  }

  /** Ends the connections of the next JOINs without a close frame. */
  public void cutJoins(int count) {
    joinsToCut.set(count);
  }

  boolean cutsJoin() {
    return joinsToCut.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
  }

  /** Ends this number of connections without a close frame, like a network failure. */
  public void cut(int count) {
    sessions.stream().limit(count).toList().forEach(FakeSession::cut);
  }

  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    sessions.forEach(FakeSession::cut);
  }

  Defects defects() {
    return defects;
  }

  FakeRoom room(String id) {
    return rooms.computeIfAbsent(id, name -> new FakeRoom(name, this));
  }

  /** Returns all rooms. */
  Iterable<FakeRoom> rooms() {
    return rooms.values();
  }

  boolean refusesUpgrade() {
    return upgradesToRefuse.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
  }

  String health() {
    return health;
  }

  void ended(FakeSession session) {
    sessions.remove(session);
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = listener.accept();
        socket.setTcpNoDelay(true);
        FakeSession session = new FakeSession(this, socket);
        sessions.add(session);
        Thread.ofVirtual().name("fake-session").start(session::read);
      }
    } catch (IOException e) {
      sessions.forEach(FakeSession::cut); // the listener was closed
    }
  }
}
