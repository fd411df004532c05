package dev.chatflow.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.client.fake.FakeServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests verdicts: objectives and verification levels. */
final class VerdictIT {
  @TempDir Path folder;

  private final Terminal terminal = new Terminal();

  @Test
  void missedObjectiveExitsWithThreeAndIsNamed() {
    try (FakeServer server = FakeServer.start()) {
      int code =
          run(server, "-m", "20", "--slo", "deliveries.rate>1000m", "--slo", "delivery.p99<1h");
      assertThat(code).isEqualTo(3);
      code = run(server, "-m", "20", "--slo", "delivery.p99<1us", "--slo", "lost==0");
      assertThat(code).isEqualTo(3);
    }
    assertThat(terminal.out())
        .contains("FAIL  objective missed: delivery.p99 < 1us MISSED", "lost == 0 ok");
  }

  @Test
  void objectiveOfAnUnknownFigureIsAUsageError() {
    try (FakeServer server = FakeServer.start()) {
      assertThat(run(server, "-m", "5", "--slo", "beauty>5")).isEqualTo(2);
      assertThat(terminal.err()).contains("beauty");
    }
  }

  @Test
  void withoutObjectivesOnlyVerificationDecides() {
    try (FakeServer server = FakeServer.start()) {
      server.refuseUpgrades(1);
      assertThat(run(server, "-m", "5", "--retries", "0", "--slo", "none"))
          .as(terminal.out())
          .isEqualTo(4);
      assertThat(terminal.out()).contains("delivered", "expected");
    }
  }

  @Test
  void singleServerShowsOneOrderToAllMembers() {
    try (FakeServer server = FakeServer.start()) {
      assertThat(run(server, "-m", "500", "--verify", "total-order")).as(terminal.out()).isZero();
      assertThat(terminal.out()).contains("in the same order everywhere");
    }
  }

  @Test
  void orderOfEachRoomIsWrittenOnRequest() throws IOException {
    try (FakeServer server = FakeServer.start()) {
      String directory = folder.resolve("run").toString();
      String[] options = {"-m", "60", "--verify", "kept-order", "-o", directory};
      assertThat(run(server, options)).as(terminal.out()).isZero();
      List<String> lines = Files.readAllLines(Path.of(directory, "order.csv"));
      assertThat(lines.getFirst()).isEqualTo("room,part,messageId,join");
      assertThat(lines).as("each text, JOIN and LEAVE").hasSize(1 + 6 * (1 + 60 + 1));
      assertThat(lines.get(1)).matches("1,0,[0-9a-z]{4}-[0-9a-z]{4}-000000,[1-9][0-9]*");
      assertThat(lines.getLast()).matches("2,0,[0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{6},0");
    }
  }

  @Test
  void countLevelComparesTotalsOnly() {
    try (FakeServer server = FakeServer.start()) {
      assertThat(run(server, "-m", "20", "--verify", "count")).as(terminal.out()).isZero();
      assertThat(run(server, "-m", "20", "--verify", "off")).as(terminal.out()).isZero();
      assertThat(terminal.out()).contains("as many as expected", "not verified");
    }
  }

  private int run(FakeServer server, String... more) {
    String[] common = {"-q", "-r", "2", "-u", "3", server.url()};
    String[] all = new String[common.length + more.length];
    System.arraycopy(common, 0, all, 0, common.length);
    System.arraycopy(more, 0, all, common.length, more.length);
    return terminal.run(all);
  }
}
