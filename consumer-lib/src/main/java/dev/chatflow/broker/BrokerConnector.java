package dev.chatflow.broker;

import com.rabbitmq.client.BlockedListener;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import dev.chatflow.support.BackOff;
import dev.chatflow.support.UncaughtHandler;
import java.io.IOException;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Maintains one named connection to the broker: connects, detects its end, and reconnects forever.
 *
 * <p>The thread {@code chat-broker-ROLE} connects; all methods are thread-safe. The client
 * library's own recovery is off: users of the connection see it end and restore their state in
 * their own order. With several addresses, each connector tries them in a random order of its own.
 * After a loss it tries all of them at once, one after another, then again after 200 ms, doubling
 * to 1 s, each with up to a quarter of jitter. A node left by {@link #moveOn} is tried after the
 * others were tried three times. A broker that accepts a connection and does not answer, for
 * example while it shuts down, is given up after 1 s, then after one second more each time, up to 5
 * s.
 */
public final class BrokerConnector implements AutoCloseable {

  /** The state of the connection; the names appear in {@code /health}. */
  public enum State {
    OPENING,
    OPEN,
    /** Open, but the broker accepts no publishes because of a memory or disk alarm. */
    BLOCKED,
    RECOVERING,
    CLOSED
  }

  /** Receives the changes of the connection. */
  public interface Listener {

    /** Reports a new connection, before others can use it. Must not park. */
    void connected();

    /** Reports a connection lost for a reason other than {@link #close}. Must not park. */
    void lost(String why);
  }

  private static final Logger log = LoggerFactory.getLogger(BrokerConnector.class);
  private static final int FIRST_DELAY_MILLIS = 200;
  private static final int MAX_DELAY_MILLIS = 1_000;

  /** The library waits half of its handshake timeout for each answer; its default is 10 s. */
  private static final int FIRST_HANDSHAKE_MILLIS = 2_000;

  private static final int MAX_HANDSHAKE_MILLIS = 10_000;

  /** Timeout of a request; heartbeats detect a silent node. */
  private static final int RPC_MILLIS = 10_000;

  /** Time for the threads of a closed connection to end. */
  private static final Duration END_PATIENCE = Duration.ofSeconds(2);

  private final BrokerConfig config;
  private final String role;
  private final String name;
  private final ClientThreads clientThreads;
  private final NodeOrder<ConnectionFactory> addresses;
  private final Thread thread;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final AtomicInteger reconnects = new AtomicInteger();

  // Set before the start.
  private @Nullable Listener listener;

  // Used only by the connecting thread: the last problem logged for each node.
  private final IdentityHashMap<ConnectionFactory, String> reported = new IdentityHashMap<>();

  // Guarded by this; written with notifyAll.
  private State state = State.OPENING;
  private @Nullable Connection connection;
  private @Nullable ConnectionFactory node;
  private long openedNanos;
  private String trouble = "not connected yet";

  /**
   * Creates a connector that is idle until {@link #start}.
   *
   * @param role short and unique in the process, such as {@code publisher}: used in the thread's
   *     name and log lines
   * @param name the connection name on the broker's management pages
   */
  public BrokerConnector(BrokerConfig config, String role, String name) throws BrokerException {
    this.config = config;
    this.role = role;
    this.name = name;
    this.clientThreads = new ClientThreads("chat-amqp-" + role + "-");
    this.addresses = new NodeOrder<>(addresses(config, clientThreads));
    this.thread =
        Thread.ofPlatform()
            .name("chat-broker-" + role)
            .daemon()
            .uncaughtExceptionHandler(new UncaughtHandler())
            .unstarted(this::run);
  }

  /**
   * Returns the nodes in a random order, so that servers that lose a node spread over the others.
   */
  private static List<ConnectionFactory> addresses(BrokerConfig config, ClientThreads threads)
      throws BrokerException {
    List<ConnectionFactory> addresses = new ArrayList<>();
    for (URI uri : config.uris()) {
      addresses.add(factory(config, uri, threads));
    }
    Collections.shuffle(addresses);
    return List.copyOf(addresses);
  }

  private static ConnectionFactory factory(BrokerConfig config, URI uri, ClientThreads threads)
      throws BrokerException {
    ConnectionFactory factory = new ConnectionFactory();
    try {
      factory.setUri(uri);
      if (config.isEncrypted()) {
        // by default the library accepts any certificate
        factory.useSslProtocol(BrokerAuthorities.context(config.authorities()));
        factory.enableHostnameVerification();
      }
    } catch (GeneralSecurityException | IOException | IllegalArgumentException e) {
      throw new BrokerException("cannot use broker URI " + config.maskedUri(), e);
    }
    // The library decodes percent escapes as US-ASCII, and treats "/" as the empty name.
    factory.setVirtualHost(config.virtualHost());
    factory.setUsername(Objects.requireNonNullElse(config.user(), ConnectionFactory.DEFAULT_USER));
    factory.setPassword(
        Objects.requireNonNullElse(config.password(), ConnectionFactory.DEFAULT_PASS));
    factory.setThreadFactory(threads);
    factory.setSharedExecutor(new CallerExecutor());
    factory.setAutomaticRecoveryEnabled(false);
    factory.setTopologyRecoveryEnabled(false);
    factory.setChannelRpcTimeout(RPC_MILLIS);
    factory.setConnectionTimeout((int) config.connectTimeout().toMillis());
    factory.setRequestedHeartbeat((int) config.heartbeat().toSeconds());
    return factory;
  }

  /** Sets the listener; call it before {@link #start}. */
  public void listen(Listener next) {
    if (thread.getState() != Thread.State.NEW) {
      throw new IllegalStateException("the connector has started: set the listener before");
    }
    listener = next;
  }

  public void start() {
    thread.start();
  }

  /** Returns whether it connects to a single node or to one of several. */
  public Nodes nodes() {
    return config.uris().size() > 1 ? Nodes.SEVERAL : Nodes.ONE;
  }

  public String role() {
    return role;
  }

  public synchronized State state() {
    return state;
  }

  /** Returns how often a lost connection was replaced. */
  public int reconnects() {
    return reconnects.get();
  }

  /** Returns why there is no connection, for operators; the last problem if there is one. */
  public synchronized String trouble() {
    return trouble;
  }

  /** Returns the open connection, or null if there is none. */
  public synchronized @Nullable Connection connection() {
    return connection;
  }

  /**
   * Returns the open connection, waiting for it if necessary.
   *
   * @throws BrokerException if there is none within {@code patience}, or the connector is closed
   */
  public Connection await(Duration patience) throws BrokerException, InterruptedException {
    Connection open = poll(patience);
    if (open == null) {
      throw new BrokerException("no broker connection (" + role + "): " + trouble());
    }
    return open;
  }

  /**
   * Returns the open connection, waiting for it if necessary.
   *
   * @return null if there is none within {@code patience}, or the connector is closed
   */
  public synchronized @Nullable Connection poll(Duration patience) throws InterruptedException {
    long end = System.nanoTime() + patience.toNanos();
    while (connection == null) {
      long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
      if (state == State.CLOSED || left <= 0) {
        return null;
      }
      wait(left);
    }
    return connection;
  }

  private void run() {
    try {
      while (true) {
        Connection open = connect();
        awaitEnd(open);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // closed
    }
  }

  private Connection connect() throws InterruptedException {
    BackOff backOff = new BackOff(FIRST_DELAY_MILLIS, MAX_DELAY_MILLIS);
    int handshake = FIRST_HANDSHAKE_MILLIS;
    for (int tries = 0; ; tries++) {
      pause(tries < addresses.size() ? 0 : backOff.nextMillis());
      ConnectionFactory tried = addresses.next();
      tried.setHandshakeTimeout(handshake);
      try {
        Connection fresh = tried.newConnection(name);
        if (isFit(tried, fresh)) {
          return opened(tried, fresh);
        }
      } catch (IOException | TimeoutException e) {
        failed(tried, ConnectFailure.explain(tried, shown(tried), e));
      }
      handshake = Math.min(handshake + FIRST_HANDSHAKE_MILLIS, MAX_HANDSHAKE_MILLIS);
    }
  }

  /** Returns the single address, or the one of several that was tried. */
  private String shown(ConnectionFactory node) {
    return nodes() == Nodes.SEVERAL
        ? config.maskedUri() + " at " + node.getHost() + ":" + node.getPort()
        : config.maskedUri();
  }

  private static String address(Connection open) {
    return open.getAddress().getHostAddress() + ":" + open.getPort();
  }

  /** Returns whether the broker's release can keep the logs; others are not used. */
  private boolean isFit(ConnectionFactory node, Connection fresh) {
    String unfit = BrokerRelease.unfit(fresh, nodes());
    if (unfit != null) {
      failed(node, shown(node) + ": " + unfit);
      fresh.abort(FIRST_HANDSHAKE_MILLIS);
    }
    return unfit == null;
  }

  private Connection opened(ConnectionFactory at, Connection fresh) throws InterruptedException {
    reported.clear();
    fresh.addBlockedListener(new Alarm());
    if (listener != null) {
      listener.connected(); // before other threads can use it
    }
    synchronized (this) {
      if (state == State.CLOSED) {
        fresh.abort();
        throw new InterruptedException();
      }
      if (state == State.RECOVERING) {
        reconnects.incrementAndGet();
      }
      connection = fresh;
      node = at;
      openedNanos = System.nanoTime();
      state = State.OPEN;
      notifyAll();
    }
    log.info(
        "broker connection ({}) open: {}{}",
        role,
        config,
        nodes() == Nodes.SEVERAL ? " at " + address(fresh) : "");
    return fresh;
  }

  /** Logs each new problem of a node once, not at each retry. */
  private void failed(ConnectionFactory node, String why) {
    if (!why.equals(reported.put(node, why))) {
      log.warn("no broker connection ({}), retrying: {}", role, why);
    }
    synchronized (this) {
      trouble = why;
    }
  }

  private void awaitEnd(Connection open) throws InterruptedException {
    // The listener runs at once if the connection has already ended.
    open.addShutdownListener(signal -> lost(open, BrokerReply.text(signal)));
    synchronized (this) {
      while (open.equals(connection)) {
        wait();
      }
      if (state == State.CLOSED) {
        throw new InterruptedException();
      }
    }
  }

  private void lost(Connection was, String why) {
    synchronized (this) {
      if (!was.equals(connection)) {
        return; // closed on purpose
      }
      connection = null;
      state = State.RECOVERING;
      trouble = "connection lost: " + why;
      notifyAll();
    }
    log.warn("broker connection ({}) lost: {}", role, why);
    if (listener != null) {
      listener.lost(why);
    }
  }

  /**
   * Drops a connection whose node answers but does not do its work, for example because it is
   * partitioned, and connects to the next one. Does nothing if there is no other address, or if the
   * connection is younger than {@code patience}, so that each node gets its chance. Does not wait.
   */
  public void moveOn(Duration patience, String why) {
    Connection doubted;
    synchronized (this) {
      doubted = connection;
      if (doubted == null
          || nodes() == Nodes.ONE
          || System.nanoTime() - openedNanos < patience.toNanos()) {
        return;
      }
      if (node != null) {
        addresses.leave(node);
      }
    }
    lost(doubted, "given up at " + address(doubted) + ": " + why);
    Thread.startVirtualThread(() -> doubted.abort(FIRST_HANDSHAKE_MILLIS));
  }

  private void pause(long millis) throws InterruptedException {
    long jittered = millis == 0 ? 0 : millis + ThreadLocalRandom.current().nextLong(millis / 4);
    if (closed.await(jittered, TimeUnit.MILLISECONDS)) {
      throw new InterruptedException();
    }
  }

  /**
   * Closes the connection and stops connecting. Its threads have ended when this returns, unless
   * one still waits for a broker that does not answer; that is logged.
   */
  @Override
  public void close() {
    Connection last;
    synchronized (this) {
      state = State.CLOSED;
      last = connection;
      connection = null;
      notifyAll();
    }
    closed.countDown();
    if (last != null) {
      last.abort((int) config.connectTimeout().toMillis());
    }
    awaitThreads();
  }

  private void awaitThreads() {
    try {
      if (!clientThreads.awaitEnd(END_PATIENCE)
          || (thread.isAlive() && !thread.join(END_PATIENCE))) {
        log.warn("broker connection ({}) closed, but one of its threads still runs", role);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /** Tracks the broker's memory and disk alarms. */
  private final class Alarm implements BlockedListener {
    @Override
    public void handleBlocked(String reason) {
      change(State.OPEN, State.BLOCKED);
      log.warn("broker accepts no publishes ({}): {}", role, reason);
    }

    @Override
    public void handleUnblocked() {
      change(State.BLOCKED, State.OPEN);
      log.info("broker accepts publishes again ({})", role);
    }

    private void change(State from, State to) {
      synchronized (BrokerConnector.this) {
        if (state == from) {
          state = to;
          BrokerConnector.this.notifyAll();
        }
      }
    }
  }
}
