package dev.chatflow.consumer.audit;

import dev.chatflow.broker.BrokerException;
import dev.chatflow.broker.ShardMismatchException;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The standalone consumer's entry: arguments in, exit status out.
 *
 * <p>SIGTERM and SIGINT are requests to stop: what was handed over is recorded and acknowledged.
 */
public final class ConsumerMain {

  static final int DONE = 0;
  static final int FAILED = 1;
  static final int USAGE = 2;

  private static final String FRESH = "--fresh";
  private static final long PATIENCE_MILLIS = 5_000;
  private static final long POLL_MILLIS = 100;

  private final PrintStream out;
  private final PrintStream err;
  private final CountDownLatch stop = new CountDownLatch(1);

  ConsumerMain(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  /** Does what the arguments ask for, and exits. */
  public static void main(String[] arguments) {
    ConsumerMain main = new ConsumerMain(System.out, System.err);
    int status = FAILED;
    try {
      onSignal("TERM", main::requestStop);
      onSignal("INT", main::requestStop);
      status = main.run(List.of(arguments));
    } catch (ReflectiveOperationException e) {
      System.err.println("chatflow: this JVM does not hand over signals (-Xrs?): " + e);
    }
    System.exit(status);
  }

  /** By reflection, because the compiler warns of this API. A shutdown hook could not exit 0. */
  private static void onSignal(String name, Runnable action) throws ReflectiveOperationException {
    Class<?> signal = Class.forName("sun.misc.Signal");
    Class<?> handler = Class.forName("sun.misc.SignalHandler");
    Object react =
        Proxy.newProxyInstance(
            handler.getClassLoader(),
            new Class<?>[] {handler},
            (_, _, _) -> {
              action.run();
              return null;
            });
    signal
        .getMethod("handle", signal, handler)
        .invoke(null, signal.getConstructor(String.class).newInstance(name), react);
  }

  void requestStop() {
    stop.countDown();
  }

  /** Runs until done or asked to stop; returns the exit status. */
  int run(List<String> arguments) {
    if (!arguments.isEmpty() && arguments.getFirst().equals("compare")) {
      return Comparison.run(arguments.subList(1, arguments.size()), out, err);
    }
    Map<String, String> options = new HashMap<>();
    String wrong = parse(arguments, options);
    if (wrong != null) {
      return refused(USAGE, wrong + " (see --help)");
    }
    if (options.containsKey("--help")) {
      out.print(help());
      return DONE;
    }
    try {
      AuditConfig config = AuditConfig.of(options, asMap(System.getProperties()), System.getenv());
      if (options.containsKey("--check")) {
        out.println("configuration ok");
      } else if (options.containsKey("--print-effective")) {
        out.print(config.describe());
      } else {
        return serve(config, options.containsKey(FRESH));
      }
      return DONE;
    } catch (AuditConfigException e) {
      return refused(USAGE, String.valueOf(e.getMessage()));
    }
  }

  private int refused(int status, String why) {
    err.println("chatflow: " + why);
    return status;
  }

  private int serve(AuditConfig config, boolean fresh) {
    try (Auditor auditor = new Auditor(config, fresh, version())) {
      auditor.start();
      out.println("consumer of " + config.broker().maskedUri());
      out.println(
          "  api     " + auditor.url() + "/api/stats (audit, rooms, users, health, metrics)");
      ShardMismatchException failure = untilAskedToStop(auditor, config);
      if (failure != null) {
        return refused(FAILED, String.valueOf(failure.getMessage()));
      }
      out.println("stopping: what was handed over is recorded");
      return DONE;
    } catch (BrokerException | IOException e) {
      return refused(FAILED, String.valueOf(e.getMessage()));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return DONE;
    }
  }

  private @Nullable ShardMismatchException untilAskedToStop(Auditor auditor, AuditConfig config)
      throws InterruptedException {
    long start = System.nanoTime();
    boolean ready = false;
    boolean told = false;
    while (!stop.await(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
      if (auditor.failure() != null) {
        return auditor.failure();
      }
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
      if (!ready && auditor.isReady()) {
        ready = true;
        out.printf("ready after %.1f s; Ctrl-C stops%n", millis / 1e3);
      }
      if (!ready && !told && millis > PATIENCE_MILLIS) {
        told = true;
        out.println(
            "not ready yet: waiting for the broker at "
                + config.broker().maskedUri()
                + ": "
                + auditor.trouble());
      }
    }
    return null;
  }

  /** Fills the options; returns what is wrong, or null. {@code --port=80} as {@code --port 80}. */
  private static @Nullable String parse(List<String> arguments, Map<String, String> options) {
    Iterator<String> rest =
        arguments.stream()
            .flatMap(a ->
                a.startsWith("--") && a.contains("=") ? Stream.of(a.split("=", 2)) : Stream.of(a))
            .iterator();
    while (rest.hasNext()) {
      String option = rest.next();
      switch (option) {
        case "--help", "-h" -> options.put("--help", "");
        case "--check", "--print-effective", FRESH -> options.put(option, "");
        default -> {
          if (Stream.of(AuditKey.values()).noneMatch(key -> key.option().equals(option))) {
            return "unknown option " + option;
          }
          if (!rest.hasNext()) {
            return option + " needs a value";
          }
          options.put(option, rest.next());
        }
      }
    }
    return null;
  }

  private static String help() {
    return """
    Usage: java -jar chatflow-consumer.jar [OPTION]...
           java -jar chatflow-consumer.jar compare SENDERS.CSV [URL]

    Records every message of the cluster, beside its servers and without effect on them: counts of
    each room and sender, the newest messages, statistics, as JSON over HTTP.
    'compare' waits until such a consumer (http://127.0.0.1:8082) has recorded what a load client
    sent, as its file senders.csv tells, and says for each room and sender whether it is equal.

    %s
      --fresh            begin with empty queues: what lies in them is of another run
      --check            say whether the configuration can be used, and exit
      --print-effective  print every key with the value in force, and exit
      --help

    SIGTERM or Ctrl-C: what was handed over is recorded and acknowledged; the queues stay for 2 minutes.
    Exit status: 0 stopped on request or equal, 1 could not start, 2 usage or configuration, 4 not equal.
    """
        .formatted(optionLines());
  }

  private static String optionLines() {
    StringBuilder lines = new StringBuilder();
    for (AuditKey key : AuditKey.values()) {
      lines.append(
          "  %-17s %s (%s, %s)%n"
              .formatted(key.option(), key.meaning(), key.environmentName(), key.defaultText()));
    }
    return lines.toString().stripTrailing();
  }

  private static String version() {
    String version = ConsumerMain.class.getPackage().getImplementationVersion();
    return version == null ? "unknown" : version;
  }

  private static Map<String, String> asMap(Properties properties) {
    Map<String, String> map = new HashMap<>();
    properties.stringPropertyNames().forEach(name -> map.put(name, properties.getProperty(name)));
    return map;
  }
}
