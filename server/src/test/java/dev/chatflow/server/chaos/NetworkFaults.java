package dev.chatflow.server.chaos;

import static dev.chatflow.server.chaos.Loads.reconnecting;
import static dev.chatflow.server.chaos.Loads.returned;
import static dev.chatflow.server.chaos.Loads.stayed;
import static dev.chatflow.server.chaos.Loads.steady;
import static dev.chatflow.server.chaos.Loads.url;
import static dev.chatflow.server.chaos.Loads.urls;

import dev.chatflow.server.TcpProxy;
import dev.chatflow.server.chaos.Scenario.Played;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Networks that hold back and reset. */
final class NetworkFaults {

  private static final Duration SECOND = Duration.ofSeconds(1);

  private NetworkFaults() {}

  static Played cutBroker(Stage stage) throws Exception {
    TcpProxy network = stage.network(TcpProxy.to(stage.broker().uri().getPort()));
    stage.server(stage.through(network), Map.of());
    stage.server();
    LoadRun load = stage.load(urls(stage), steady(66));
    return stayed(load, cutTenTimes(stage, network));
  }

  static Played cutClients(Stage stage) throws Exception {
    ChatNode server = stage.server();
    TcpProxy network = stage.network(TcpProxy.to(server.port()));
    LoadRun load = stage.load(List.of(url(network), server.url()), reconnecting(66));
    return returned(load, cutTenTimes(stage, network));
  }

  /**
   * In turn nothing gets through, and everything is reset after what was answered had been held
   * back: who sends again cannot know that others have seen it. Between two cuts there is time for
   * a retry (1.25 s at most), else one stall would have two causes.
   */
  private static Duration cutTenTimes(Stage stage, TcpProxy network) {
    Duration length = SECOND.multipliedBy(2);
    for (int i = 0; i < 10; i++) {
      if (i % 2 == 0) {
        network.freeze();
      } else {
        network.mute();
        Stage.pass(length.dividedBy(4));
        network.cut();
      }
      Stage.pass(length);
      network.mend();
      Stage.pass(SECOND.plus(stage.about(SECOND.multipliedBy(2))));
    }
    return length.plus(length.dividedBy(4));
  }
}
