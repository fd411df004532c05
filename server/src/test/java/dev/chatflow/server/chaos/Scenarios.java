package dev.chatflow.server.chaos;

import java.util.List;

/** All fault scenarios, in the order in which they are told. */
final class Scenarios {

  static final List<Scenario> ALL =
      List.of(
          new Scenario("broker-restart", true, false, BrokerFaults::brokerRestart),
          new Scenario("broker-kill", false, true, BrokerFaults::brokerKill),
          new Scenario("close-connections", true, false, BrokerFaults::closeConnections),
          new Scenario("memory-alarm", true, true, BrokerFaults::memoryAlarm),
          new Scenario("server-kill", false, false, ServerFaults::serverKill),
          new Scenario("rolling-restart", false, false, ServerFaults::rollingRestart),
          new Scenario("drain", false, false, ServerFaults::drain),
          new Scenario("drain-request", false, false, ServerFaults::drainRequest),
          new Scenario("cut-broker", false, false, NetworkFaults::cutBroker),
          new Scenario("cut-clients", false, false, NetworkFaults::cutClients),
          new Scenario("slow-readers", false, false, PeerFaults::slowReaders),
          new Scenario("hostile-peers", false, false, PeerFaults::hostilePeers),
          new Scenario("hostile-peers-stock", false, false, PeerFaults::hostilePeersStock),
          new Scenario("malformed-flood", false, false, PeerFaults::malformedFlood),
          new Scenario("reconnect-storm", false, false, PeerFaults::reconnectStorm),
          new Scenario("consumer-frozen", false, false, PeerFaults::consumerFrozen),
          new Scenario("queue-deleted", true, false, BrokerFaults::queueDeleted),
          new Scenario("queue-purged", true, false, BrokerFaults::queuePurged),
          new Scenario("binding-removed", true, false, BrokerFaults::bindingRemoved));

  private Scenarios() {}
}
