package dev.chatflow.lab.broker;

import dev.chatflow.broker.Topology;
import dev.chatflow.room.Shard;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.atomic.LongAdder;

/**
 * A RabbitMQ of one or several nodes for fault scenarios, run by a control program with the
 * commands of {@code infra/rabbitmq/test-broker}.
 */
abstract sealed class Rabbit implements FaultyBroker permits RabbitNode, RabbitCluster {

  /** In bytes, because 3.10 does not accept TB. */
  private static final String MORE_THAN_ANY_DISK = "1000000000000000";

  private static final String SHORT = "short-logs";

  /** Starts it and causes its faults. */
  final ControlProgram control;

  private final URI uri;
  private final String version;

  /** Represents a broker that {@code control} has started at {@code uri}. */
  Rabbit(ControlProgram control, String uri) throws IOException {
    this.control = control;
    this.uri = URI.create(uri);
    this.version = control.run("ctl", "version").strip();
  }

  @Override
  public String name() {
    return "RabbitMQ " + version;
  }

  @Override
  public final URI uri() {
    return uri;
  }

  @Override
  public final void stop() throws IOException {
    control.run("stop");
  }

  @Override
  public final void start() throws IOException {
    control.run("start");
  }

  @Override
  public final boolean isRabbit() {
    return true;
  }

  @Override
  public final void alarm(boolean on) throws IOException {
    control.run("ctl", "set_vm_memory_high_watermark", on ? "0.000001" : "0.6");
  }

  @Override
  public final void diskAlarm(boolean on) throws IOException {
    control.run("ctl", "set_disk_free_limit", on ? MORE_THAN_ANY_DISK : "50MB");
  }

  @Override
  public final void shortenLogs(boolean on) throws IOException {
    if (on) {
      control.run(
          "ctl",
          "set_policy",
          SHORT,
          "^chat\\.log\\.",
          "{\"max-length-bytes\":20000000}",
          "--apply-to",
          "queues");
    } else {
      control.run("ctl", "clear_policy", SHORT);
    }
  }

  @Override
  public final long logBytes(Shard shard) throws IOException {
    String log = Topology.log(shard).replace('.', '_') + "_"; // as in the name of its directory
    LongAdder bytes = new LongAdder();
    Files.walkFileTree(
        control.directory(),
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (file.toString().contains(log)) {
              bytes.add(attributes.size());
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException failure) {
            return FileVisitResult.CONTINUE; // just deleted by retention
          }
        });
    return bytes.sum();
  }
}
