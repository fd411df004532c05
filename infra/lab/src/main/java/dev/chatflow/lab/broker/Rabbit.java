package dev.chatflow.lab.broker;

import java.io.IOException;
import java.net.URI;

/**
 * A RabbitMQ that is ours to break, of one node or several, run by a control program with the verbs
 * of {@code infra/rabbitmq/test-broker}.
 */
abstract sealed class Rabbit implements FaultyBroker permits RabbitNode, RabbitCluster {

  /** Starts and breaks it. */
  final ControlProgram control;

  private final URI uri;
  private final String version;

  /** Of one that {@code control} has started at {@code uri}. */
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
    control.run("ctl", "set_disk_free_limit", on ? "1000TB" : "50MB");
  }
}
