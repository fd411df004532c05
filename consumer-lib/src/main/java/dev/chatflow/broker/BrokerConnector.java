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
 * Keeps one named connection to the broker: connects, notices its end, connects again for ever.
 *
 * <p>One thread, {@code chat-broker-ROLE}, connects; any thread may ask. The client library's own
 * recovery is off: who uses the connection sees it end, and does in its own order what must be done
 * again. Of a broker with several addresses the order is a matter of chance, for each connector its
 * own; after a loss the next is tried at once, and so on once around, then after 200 ms, doubling
 * to 1 s, each with up to a quarter of jitter. A node that was left by {@link #moveOn} is tried
 * when the others have been tried three times. A broker that accepts and then says nothing, as one
 * that is just going away may, is given up after 1 s, each time a second later, to 5 s.
 */
public final class BrokerConnector implements AutoCloseable {

  /** What the connection is doing now; the names appear in {@code /health}. */
  public enum State {
    OPENING,
    OPEN,
    /** Open, but the broker takes no publishes: a memory or disk alarm. */
    BLOCKED,
    RECOVERING,
    CLOSED
  }

  /** Who is told when the connection comes and goes. */
  public interface Listener {

    /** There is a connection, which everybody gets next. Must not park. */
    void connected();

    /** The connection is lost, and not because of {@link #close}. Must not park. */
    void lost(String why);
  }

  private static final Logger log = LoggerFactory.getLogger(BrokerConnector.class);
  private static final int FIRST_DELAY_MILLIS = 200;
  private static final int MAX_DELAY_MILLIS = 1_000;

  /** The library waits half of its handshake timeout for each answer; 10 s is its own default. */
  private static final int FIRST_HANDSHAKE_MILLIS = 2_000;

  private static final int MAX_HANDSHAKE_MILLIS = 10_000;

  /** For the broker's answer to a request; a node that is silent is given up by heartbeats. */
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

  // The connecting thread's: the trouble told of each node.
  private final IdentityHashMap<ConnectionFactory, String> reported = new IdentityHashMap<>();

  // Guarded by this; written with notifyAll.
  private State state = State.OPENING;
  private @Nullable Connection connection;
  private @Nullable ConnectionFactory node;
  private long openedNanos;
  private String trouble = "not connected yet";

  /**
   * Makes a connector that does nothing before {@link #start}.
   *
   * @param role short and unique in the process, such as {@code publisher}: part of the thread's
   *     name and of log lines
   * @param name what the broker's management pages show
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

  /** In the order of this connector: servers that lose a node spread over those that are left. */
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
        // By itself the library believes whoever answers.
        factory.useSslProtocol(BrokerAuthorities.context(config.authorities()));
        factory.enableHostnameVerification();
      }
    } catch (GeneralSecurityException | IOException | IllegalArgumentException e) {
      throw new BrokerException("cannot use broker URI " + config.maskedUri(), e);
    }
    // The library decodes percent escapes as US-ASCII, and takes "/" for the empty name.
    factory.setVirtualHost(config.virtualHost());
    factory.setUsername(Objects.requireNonNullElse(config.user(), ConnectionFactory.DEFAULT_USER));
    factory.setPassword(
        Objects.requireNonNullElse(config.password(), ConnectionFactory.DEFAULT_PASS));
    factory.setThreadFactory(threads);
    factory.setAutomaticRecoveryEnabled(false);
    factory.setTopologyRecoveryEnabled(false);
    factory.setChannelRpcTimeout(RPC_MILLIS);
    factory.setConnectionTimeout((int) config.connectTimeout().toMillis());
    factory.setRequestedHeartbeat((int) config.heartbeat().toSeconds());
    return factory;
  }

  /** Sets who is told; before {@link #start}. */
  public void listen(Listener next) {
    if (thread.getState() != Thread.State.NEW) {
      throw new IllegalStateException("the connector has started: nobody else can listen");
    }
    listener = next;
  }

  public void start() {
    thread.start();
  }

  /** Whether it connects to one node or to whichever of several answers. */
  public Nodes nodes() {
    return config.uris().size() > 1 ? Nodes.SEVERAL : Nodes.ONE;
  }

  public String role() {
    return role;
  }

  public synchronized State state() {
    return state;
  }

  /** How often a lost connection was made again. */
  public int reconnects() {
    return reconnects.get();
  }

  /** Why there is no connection, in words for an operator; the last trouble when there is one. */
  public synchronized String trouble() {
    return trouble;
  }

  /** The open connection, or null when there is none now. */
  public synchronized @Nullable Connection connection() {
    return connection;
  }

  /**
   * The open connection; waits for it if need be.
   *
   * @throws BrokerException when there is none within {@code patience}, or the connector is closed
   */
  public Connection await(Duration patience) throws BrokerException, InterruptedException {
    Connection open = poll(patience);
    if (open == null) {
      throw new BrokerException("no broker connection (" + role + "): " + trouble());
    }
    return open;
  }

  /**
   * The open connection; waits for it if need be.
   *
   * @return null when there is none within {@code patience}, or the connector is closed
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
        failed(tried, ConnectTrouble.explain(tried, shown(tried), e));
      }
      handshake = Math.min(handshake + FIRST_HANDSHAKE_MILLIS, MAX_HANDSHAKE_MILLIS);
    }
  }

  /** The one address, or that of several which was tried. */
  private String shown(ConnectionFactory node) {
    return nodes() == Nodes.SEVERAL
        ? config.maskedUri() + " at " + node.getHost() + ":" + node.getPort()
        : config.maskedUri();
  }

  private static String address(Connection open) {
    return open.getAddress().getHostAddress() + ":" + open.getPort();
  }

  /** A release that cannot keep the logs is not used, however well it answers. */
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
      listener.connected(); // before anybody can use it
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

  /** One log line for each new trouble of a node, not for each retry. */
  private void failed(ConnectionFactory node, String why) {
    if (!why.equals(reported.put(node, why))) {
      log.warn("no broker connection ({}), trying on: {}", role, why);
    }
    synchronized (this) {
      trouble = why;
    }
  }

  private void awaitEnd(Connection open) throws InterruptedException {
    // The listener runs at once when the connection has ended already.
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
   * Gives up a connection whose node answers but does not do its work, as one that is cut off from
   * the others, and connects to the next. Nothing happens when there is no other address, or when
   * the connection is younger than {@code patience}: each node gets its chance. Any thread; does
   * not wait.
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
   * Closes the connection and connects no more; its threads have ended then, but for one that waits
   * for a broker that does not answer: that is logged.
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
        log.warn("broker connection ({}) closed, but a thread of it still runs", role);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /** Follows the broker's memory and disk alarms. */
  private final class Alarm implements BlockedListener {
    @Override
    public void handleBlocked(String reason) {
      change(State.OPEN, State.BLOCKED);
      log.warn("broker takes no publishes ({}): {}", role, reason);
    }

    @Override
    public void handleUnblocked() {
      change(State.BLOCKED, State.OPEN);
      log.info("broker takes publishes again ({})", role);
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
