package dev.chatflow.lab.chaos;

import java.util.List;
import java.util.stream.Stream;

/** All fault scenarios, in the order in which they are told; each group names its own. */
final class Scenarios {

  static final List<Scenario> ALL =
      Stream.of(
              BrokerFaults.ALL,
              ServerFaults.ALL,
              NetworkFaults.ALL,
              PeerFaults.ALL,
              TokenFaults.ALL,
              LogFaults.ALL,
              ClockFaults.ALL,
              ClusterFaults.ALL,
              RandomFaults.ALL)
          .flatMap(List::stream)
          .toList();

  private Scenarios() {}
}
