package dev.chatflow.lab.node;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** The standalone consumer as a process, which can be frozen. */
public final class AuditNode implements AutoCloseable {

  private static final Path CONSUMER =
      Path.of("..", "consumer-lib", "target", "chatflow-consumer.jar").toAbsolutePath().normalize();
  private static final Pattern ADDRESS = Pattern.compile("http://127\\.0\\.0\\.1:(\\d+)");
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final Process process;
  private final Path output;
  private final int port;

  private AuditNode(Process process, Path output) {
    this.process = process;
    this.output = output;
    Awaitility.await("consumer listens").atMost(PATIENCE).until(() -> address().find());
    Matcher address = address();
    if (!address.find()) {
      throw new IllegalStateException("no address");
    }
    port = Integer.parseInt(address.group(1));
    Awaitility.await("consumer reads the logs")
        .atMost(PATIENCE)
        .until(() -> get("/health").get("status").getAsString().equals("UP"));
  }

  /** Starts it and waits until it reads the shard logs. */
  public static AuditNode start(Path directory, URI broker) throws IOException {
    Path output = Files.createTempFile(directory, "consumer", ".log");
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    ProcessBuilder builder =
        new ProcessBuilder(List.of(java, "-Xmx128m", "-jar", CONSUMER.toString(), "--port", "0"))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("CHATFLOW_"));
    builder.environment().put("CHATFLOW_AMQP_URI", broker.toString());
    builder.environment().put("CHATFLOW_CONSUMER_STORE", "memory");
    return new AuditNode(builder.start(), output);
  }

  private Matcher address() {
    try {
      return ADDRESS.matcher(Files.readString(output));
    } catch (IOException e) {
      throw new IllegalStateException("no log", e);
    }
  }

  private JsonObject get(String path) throws IOException {
    return Json.get(port, path);
  }

  /** Waits for this number of recorded messages and returns the actual one. */
  public long awaitRecorded(long messages) throws IOException {
    try {
      Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> recorded() >= messages);
    } catch (ConditionTimeoutException _) {
      // The caller decides.
    }
    return recorded();
  }

  private long recorded() throws IOException {
    return get("/api/stats").getAsJsonObject("totals").get("recorded").getAsLong();
  }

  public void freeze() throws IOException, InterruptedException {
    signal("STOP");
  }

  public void thaw() throws IOException, InterruptedException {
    signal("CONT");
  }

  private void signal(String name) throws IOException, InterruptedException {
    Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
    if (kill.waitFor() != 0) {
      throw new IOException("kill -" + name + " ended with " + kill.exitValue());
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
    process.onExit().join();
  }
}
