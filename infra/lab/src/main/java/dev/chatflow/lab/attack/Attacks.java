package dev.chatflow.lab.attack;

import java.util.List;
import java.util.stream.Stream;

/** All attacks, in the order in which they are told; each group names its own. */
final class Attacks {

  static final List<Attack> ALL =
      Stream.of(Strangers.ALL, Forgeries.ALL, Browsers.ALL, Floods.ALL, Neighbours.ALL)
          .flatMap(List::stream)
          .toList();

  private Attacks() {}
}
