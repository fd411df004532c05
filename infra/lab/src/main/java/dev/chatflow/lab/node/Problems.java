package dev.chatflow.lab.node;

import java.util.ArrayList;
import java.util.List;

/** Collects violations. */
public final class Problems {

  private final List<String> all = new ArrayList<>();

  public Problems(List<String> first) {
    all.addAll(first);
  }

  public Problems() {
    this(List.of());
  }

  public void add(String problem) {
    all.add(problem);
  }

  public void addAll(List<String> problems) {
    all.addAll(problems);
  }

  public void unless(boolean holds, String problem) {
    if (!holds) {
      all.add(problem);
    }
  }

  public List<String> all() {
    return List.copyOf(all);
  }
}
