package dev.chatflow.lab.node;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Processes that use all cores for nothing. */
public final class Burners implements AutoCloseable {

  private static final int EACH = 3;

  private final List<Process> processes = new ArrayList<>();

  /** Starts three per core, which leaves a quarter of the machine to others. */
  public Burners() throws IOException {
    for (int i = 0; i < EACH * Runtime.getRuntime().availableProcessors(); i++) {
      processes.add(new ProcessBuilder("sh", "-c", "while :; do :; done").start());
    }
  }

  @Override
  public void close() {
    processes.forEach(Process::destroyForcibly);
    processes.forEach(process -> process.onExit().join());
  }
}
