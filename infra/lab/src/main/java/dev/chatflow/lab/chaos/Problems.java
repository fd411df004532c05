package dev.chatflow.lab.chaos;

import java.util.ArrayList;
import java.util.List;

/** Collects what should not be. */
final class Problems {

  private final List<String> all = new ArrayList<>();

  Problems(List<String> first) {
    all.addAll(first);
  }

  Problems() {
    this(List.of());
  }

  void add(String problem) {
    all.add(problem);
  }

  void addAll(List<String> problems) {
    all.addAll(problems);
  }

  void unless(boolean holds, String problem) {
    if (!holds) {
      all.add(problem);
    }
  }

  List<String> all() {
    return List.copyOf(all);
  }
}
