package dev.chatflow.lab.attack;

import java.util.List;
import java.util.stream.Stream;

/** All attacks in the order of the documentation, by group. */
final class Attacks {

  static final List<Attack> ALL =
      Stream.of(Curious.ALL, Floods.ALL, Neighbours.ALL).flatMap(List::stream).toList();

  private Attacks() {}
}
