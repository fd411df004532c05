package dev.chatflow.server.simulation.world;

import java.util.ArrayList;
import java.util.List;

/** The entries that a server handed on without a gap, by position. */
public final class Slice {

  /** The lines of one entry. */
  public record Report(int position, List<Said> lines) {}

  private final String server;
  private final List<Report> reports = new ArrayList<>();
  private boolean excused;

  Slice(String server, boolean excused) {
    this.server = server;
    this.excused = excused;
  }

  void add(Report report) {
    reports.add(report);
  }

  /** Drops entries that are no longer in the log and cannot be compared. */
  void cut(int position) {
    reports.removeIf(report -> report.position() >= position);
  }

  void excuse() {
    excused = true;
  }

  public boolean isExcused() {
    return excused;
  }

  public List<Report> reports() {
    return reports;
  }

  @Override
  public String toString() {
    return server;
  }
}
