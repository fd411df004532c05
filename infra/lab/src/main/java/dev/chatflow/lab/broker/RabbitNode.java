package dev.chatflow.lab.broker;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A RabbitMQ node that is ours to break, run by a control program with the verbs of {@code
 * infra/rabbitmq/test-broker}.
 */
public final class RabbitNode implements FaultyBroker {

  private final ControlProgram control;
  private final URI uri;
  private final String version;

  private RabbitNode(ControlProgram control, URI uri, String version) {
    this.control = control;
    this.uri = uri;
    this.version = version;
  }

  /**
   * Starts a node.
   *
   * @param program the control program
   * @param directory for its data; need not exist
   */
  public static RabbitNode launch(String program, Path directory) throws IOException {
    ControlProgram control = new ControlProgram(program, directory);
    URI uri = URI.create(control.start());
    return new RabbitNode(control, uri, control.run("ctl", "version").strip());
  }

  @Override
  public String name() {
    return "RabbitMQ " + version;
  }

  @Override
  public URI uri() {
    return uri;
  }

  @Override
  public void closeConnections(List<Duration> pauses) throws IOException {
    String millis =
        pauses.stream().map(p -> Long.toString(p.toMillis())).collect(Collectors.joining(","));
    // One call, for each takes seconds to start.
    control.run(
        "ctl",
        "eval",
        "[begin timer:sleep(T), rabbit_networking:close_connections("
            + "rabbit_networking:connections(), <<\"closed by a fault scenario\">>) end || T <- ["
            + millis
            + "]].");
  }

  @Override
  public void stop() throws IOException {
    control.run("stop");
  }

  @Override
  public void start() throws IOException {
    control.run("start");
  }

  @Override
  public void kill() throws IOException {
    control.run("kill");
  }

  @Override
  public boolean isRabbit() {
    return true;
  }

  @Override
  public void diskAlarm(boolean on) throws IOException {
    control.run("ctl", "set_disk_free_limit", on ? "1000TB" : "50MB");
  }

  @Override
  public void alarm(boolean on) throws IOException {
    control.run("ctl", "set_vm_memory_high_watermark", on ? "0.000001" : "0.6");
  }

  @Override
  public void close() {
    try {
      stop();
    } catch (IOException e) {
      throw new IllegalStateException("the node still runs", e);
    }
  }
}
