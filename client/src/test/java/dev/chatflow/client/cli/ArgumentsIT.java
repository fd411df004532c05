package dev.chatflow.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.client.fake.FakeServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests option files, and {@code --again}, which repeats a stored run. */
final class ArgumentsIT {
  @TempDir Path directory;

  private final Terminal terminal = new Terminal();

  @Test
  void storedRunIsRepeatedWithItsSeed() throws IOException {
    Path one = directory.resolve("one");
    Path two = directory.resolve("two");
    terminal.environment.put("CHATFLOW_CLIENT_ROOM_SIZE", "3");
    try (FakeServer server = FakeServer.start()) {
      assertThat(
              run(
                  "-q -r 2 -m 20 -w 1 --token abc --slo echo.p99<1m --slo delivery.p99<1m",
                  one,
                  server.url()))
          .as(terminal.err())
          .isZero();
      terminal.environment.remove("CHATFLOW_CLIENT_ROOM_SIZE");
      assertThat(run("--again " + one, two)).as(terminal.err()).isZero();
      assertThat(arguments(one))
          .contains(
              "--quiet",
              "--rooms=2",
              "--room-size=3",
              "--messages=20",
              "--in-flight=1",
              "--slo=echo.p99<1m",
              "--slo=delivery.p99<1m",
              "# --token was secret: add it again",
              server.url())
          .noneMatch(line -> line.contains("abc") || line.startsWith("--out"));
    }
    assertThat(arguments(two))
        .containsExactlyElementsOf(
            arguments(one).stream().filter(line -> !line.startsWith("#")).toList());
  }

  @Test
  void optionsAfterAgainOverrideThoseOfTheStoredRun() throws IOException {
    Path one = directory.resolve("one");
    Path two = directory.resolve("two");
    try (FakeServer first = FakeServer.start();
        FakeServer second = FakeServer.start()) {
      assertThat(run("-q -r 1 -u 2 -m 20 -w 1", one, first.url())).as(terminal.err()).isZero();
      assertThat(run("--again=" + one + " -m 5", two, second.url())).as(terminal.err()).isZero();
      assertThat(arguments(two))
          .contains("--messages=5", "--room-size=2", second.url())
          .doesNotContain("--messages=20", first.url());
    }
  }

  @Test
  void directoryWithoutAStoredRunIsRejectedBeforeTheRun() {
    assertThat(run("--again " + directory, directory.resolve("two"))).isEqualTo(2);
    assertThat(terminal.err()).contains("--again must name the directory of a stored run");
  }

  @Test
  void eachCellOfASweepCanBeRepeated() throws IOException {
    Path sweep = directory.resolve("sweep");
    try (FakeServer server = FakeServer.start()) {
      assertThat(
              terminal.run(
                  "sweep",
                  "--vary=in-flight=1,2",
                  "-q",
                  "-r=1",
                  "-u=2",
                  "-m=5",
                  "-o=" + sweep,
                  server.url()))
          .as(terminal.err())
          .isZero();
      Path again = directory.resolve("again");
      assertThat(run("--again " + sweep.resolve("in-flight=2"), again)).as(terminal.err()).isZero();
      assertThat(arguments(again)).contains("--in-flight=2", "--messages=5");
    }
  }

  @Test
  void printedOptionsCanBeReadAsAnOptionFile() throws IOException {
    assertThat(terminal.run("run", "--print-args", "-R=1k", "-d=60s", "--seed=7", "ws://a:1/chat"))
        .as(terminal.err())
        .isZero();
    assertThat(terminal.out())
        .isEqualToNormalizingNewlines(
            "--duration=60s\n--rate=1k\n--every=10s\n--seed=7\nws://a:1/chat\n");
    Path file = Files.writeString(directory.resolve("printed.args"), terminal.out());
    Terminal other = new Terminal();
    assertThat(other.run("run", "@" + file, "--print-args", "--seed=7")).as(other.err()).isZero();
    assertThat(other.out()).isEqualTo(terminal.out());
  }

  /**
   * Runs the documentation's option files, shortened to about two seconds. No option shortens
   * stages, so the copied file does.
   */
  @ParameterizedTest
  @ValueSource(strings = {"first", "steady", "steps", "reconnect", "soak"})
  void examplesOfTheDocumentationRun(String name) throws IOException {
    Path examples = Path.of("..", "docs", "loads");
    String shorter =
        switch (name) {
          case "first", "steps" -> "";
          case "steady" -> "-R=100 --warmup=500ms -d=1s";
          default -> "-R=100 -d=2s";
        };
    Path file = directory.resolve(name + ".args");
    String text = Files.readString(examples.resolve(file.getFileName()));
    Files.writeString(file, text.replace(":20s", ":500ms"));
    String churn = name.equals("reconnect") ? " --churn=10%/500ms" : "";
    try (FakeServer server = FakeServer.start()) {
      int code =
          run(
              "@" + file + " -r=2 -u=3 --slo=none " + shorter + churn,
              directory.resolve(name),
              server.url());
      assertThat(code).as(terminal.out() + terminal.err()).isZero();
    }
    try (Stream<Path> all = Files.list(examples)) {
      assertThat(all).as("examples, all of which must be in the @ValueSource").hasSize(5);
    }
  }

  private int run(String options, Path out, String... servers) {
    Stream<String> all =
        Stream.of(
                Stream.of("run"),
                Stream.of(options.strip().split(" +", -1)),
                Stream.of("--out", out.toString()),
                Stream.of(servers))
            .flatMap(each -> each);
    return terminal.run(all.toArray(String[]::new));
  }

  private static List<String> arguments(Path run) throws IOException {
    return Files.readAllLines(run.resolve("run.args"));
  }
}
