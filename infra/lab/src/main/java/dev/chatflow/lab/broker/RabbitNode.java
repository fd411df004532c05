package dev.chatflow.lab.broker;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** A single RabbitMQ node for fault scenarios. */
public final class RabbitNode extends Rabbit {

  private RabbitNode(ControlProgram control) throws IOException {
    super(control, control.start());
  }

  /**
   * Starts a node.
   *
   * @param program the control program
   * @param directory for its data; need not exist
   */
  public static RabbitNode launch(String program, Path directory) throws IOException {
    return new RabbitNode(new ControlProgram(program, directory));
  }

  @Override
  public void closeConnections(List<Duration> pauses) throws IOException {
    String millis =
        pauses.stream().map(p -> Long.toString(p.toMillis())).collect(Collectors.joining(","));
    // One call, because each takes seconds to start.
    control.run(
        "ctl",
        "eval",
        "[begin timer:sleep(T), rabbit_networking:close_connections("
            + "rabbit_networking:connections(), <<\"closed by a fault scenario\">>) end || T <- ["
            + millis
            + "]].");
  }

  @Override
  public void kill() throws IOException {
    control.run("kill");
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
