package dev.chatflow.server.edge;

import dev.chatflow.identity.Access;
import dev.chatflow.identity.AccessConfig;
import dev.chatflow.identity.Identity;
import dev.chatflow.log.ClusterTime;
import dev.chatflow.message.ClientRules;
import dev.chatflow.message.UserIds;
import dev.chatflow.room.Past;
import dev.chatflow.server.publish.Lanes;
import dev.chatflow.server.sink.FakeTimer;
import dev.chatflow.server.sink.Timer;
import dev.chatflow.server.sink.tomcat.SinkMode;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/** Bounds of connections for tests, with defaults for everything a test does not set. */
public final class TestEdge {

  private int window = 16;
  private int posts = 10;
  private int ratePerSecond;
  private Gate gate = gate(Access.open(), System::currentTimeMillis);
  private int perAddress;
  private BooleanSupplier wasPaused = () -> false;
  private UserIds userIds = UserIds.NUMBER;

  public TestEdge window(int messages) {
    window = messages;
    return this;
  }

  public TestEdge posts(int underWay) {
    posts = underWay;
    return this;
  }

  public TestEdge ratePerSecond(int texts) {
    ratePerSecond = texts;
    return this;
  }

  public TestEdge userIds(UserIds letIn) {
    userIds = letIn;
    return this;
  }

  /** Sets the gate; without it every client is accepted. */
  public TestEdge gate(Gate door) {
    gate = door;
    return this;
  }

  /** Returns a gate without proxies and other origins. */
  public static Gate gate(Access access, LongSupplier millis) {
    return gate("", access, clock(millis));
  }

  /** Returns a gate with these settings. */
  public static Gate gate(String proxies, Access access, Gate.Clock clock) {
    return new Gate(TrustedProxies.parse(proxies), Origins.OWN, access, UserIds.NUMBER, clock);
  }

  /** Returns a clock with this wall clock and a timer that is always at 0. */
  public static Gate.Clock clock(LongSupplier millis) {
    return new Gate.Clock() {
      @Override
      public long millis() {
        return millis.getAsLong();
      }

      @Override
      public long nanos() {
        return 0;
      }
    };
  }

  /** Returns a program from an address, without a token. */
  public static Gate.Visitor visitor(String address) {
    return new Gate.Visitor(address, null, Identity.ANYBODY);
  }

  public TestEdge perAddress(int connections) {
    perAddress = connections;
    return this;
  }

  /** Returns this many slots, for any address. */
  public static ConnectionSlots slots(int allowed) {
    return new ConnectionSlots(allowed, new Addresses(0));
  }

  public TestEdge wasPaused(BooleanSupplier justOver) {
    wasPaused = justOver;
    return this;
  }

  /** Returns the shared objects of connections, with a timer that never runs. */
  public ConnectionContext context(Lanes lanes, EdgeMeter meter) {
    return context(lanes, meter, new FakeTimer());
  }

  ConnectionContext context(Lanes lanes, EdgeMeter meter, Timer timer) {
    return new ConnectionContext(
        "server-1",
        4,
        config(),
        lanes,
        new PendingLeaves(lanes, timer, "server-1", 1, 4, _ -> false),
        gate,
        new PendingJoins(),
        new Addresses(perAddress),
        _ -> false,
        new ClusterTime(() -> 0, 1_000),
        timer,
        wasPaused,
        meter);
  }

  public EdgeConfig config() {
    return new EdgeConfig(
        window,
        10,
        perAddress,
        posts,
        Past.MAX_HISTORY,
        ratePerSecond,
        Duration.ofSeconds(25),
        Duration.ofSeconds(45),
        SinkMode.PORTABLE,
        Duration.ofSeconds(15),
        TrustedProxies.parse(""),
        Origins.OWN,
        AccessConfig.OPEN,
        new ClientRules(userIds));
  }
}
