package dev.chatflow.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.client.fake.FakePages;
import dev.chatflow.client.fake.FakeServer;
import java.awt.image.BufferedImage;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the report in a headless Chromium: no errors, no requests, every chart, and no injected
 * markup.
 */
@EnabledIf(
    value = "hasBrowser",
    disabledReason = "no Chromium in the path; CHATFLOW_TEST_CHROMIUM may name one")
final class ReportPageIT {
  private static final List<String> PICTURES =
      List.of(
          "deliveries",
          "throughput",
          "throughput-10s",
          "latency",
          "heat-map",
          "spectrum",
          "rooms",
          "rooms-latency",
          "servers",
          "servers-latency",
          "in-flight",
          "client-cpu",
          "client-hiccups",
          "scraped-queue_depth",
          "percentiles",
          "percentiles-2s",
          "mean-stddev",
          "percentiles-of-means",
          "sent-received",
          "histogram");

  @TempDir Path directory;

  private final Terminal terminal = new Terminal();

  @Test
  void pageShowsEveryChartWithoutNetwork() throws Exception {
    Path run = directory.resolve("one");
    try (FakeServer server = FakeServer.start();
        FakePages pages = new FakePages().put("/metrics", "queue_depth 5\n")) {
      int code =
          terminal.run(
              "-q",
              "-r",
              "2",
              "-u",
              "3",
              "-w",
              "1",
              "-d",
              "1s",
              "--every",
              "100ms",
              "-l",
              "<script>alert(1)</script>",
              "--note",
              "x=<img src=y onerror=z>",
              "--scrape",
              pages.url("/metrics"),
              "--out",
              run.toString(),
              server.url());
      assertThat(code).as(terminal.out()).isZero();
    }
    Path page = run.resolve("report.html");
    assertThat(Files.size(page)).isLessThan(1 << 20);
    Path dom = directory.resolve("dom.html");
    String log = browse(dom, "--dump-dom", page.toUri().toString());
    assertThat(log).doesNotContain("CONSOLE", "ERR_");
    String shown = Files.readString(dom);
    for (String picture : PICTURES) {
      assertThat(shown).contains("id=\"chart-" + picture + "\"");
    }
    assertThat(shown)
        .as("only the page's own script ran")
        .contains("class=\"sorts\"", "class=\"cursor\"", "&lt;script&gt;alert(1)")
        .doesNotContain("<script>alert", "<img", "src=\"", "http-equiv");
    assertThat(shown.replace("href=\"data:,\"", "")).doesNotContain("href=", "url(", "@import");
    Path picture = directory.resolve("page.png");
    browse(
        directory.resolve("none"),
        "--screenshot=" + picture,
        "--window-size=1000,3000",
        page.toUri().toString());
    BufferedImage image = ImageIO.read(picture.toFile());
    assertThat(colours(image)).as("lines and bars are drawn").isGreaterThan(20);
  }

  /** Uses a frame as wide as a phone, because a browser window cannot be that narrow. */
  @Test
  void pageFitsAPhoneAndScrollableElementsAreReachableByKeyboard() throws Exception {
    Path run = directory.resolve("narrow");
    try (FakeServer server = FakeServer.start()) {
      assertThat(terminal.run("-q", "-r", "2", "-u", "3", "--out", run.toString(), server.url()))
          .isZero();
    }
    String page = Files.readString(run.resolve("report.html"));
    Files.writeString(directory.resolve("phone.html"), page + PROBE);
    Path frame =
        Files.writeString(
            directory.resolve("frame.html"),
            "<iframe src=phone.html width=390 height=844 style='border:0'></iframe>"
                + "<p id=said></p><script>onmessage = e => said.textContent = e.data</script>");
    Path dom = directory.resolve("frame-dom.html");
    browse(dom, "--virtual-time-budget=5000", "--dump-dom", frame.toUri().toString());
    assertThat(Files.readString(dom))
        .contains("too wide by 0; cut charts: ; out of reach: ; small text: ; landmarks: MAIN");
  }

  private static final String PROBE =
      """
      <script>
      const all = (selector) => [...document.querySelectorAll(selector)];
      const names = (found) => found.map((e) => e.id || e.outerHTML.slice(0, 60)).join(" ");
      const root = document.documentElement;
      const charts = all("figure");
      const cut = charts.filter((e) => e.scrollWidth > e.clientWidth
        || e.firstChild.getBoundingClientRect().right > innerWidth);
      const small = charts.filter((e) => {
        const svg = e.firstChild;
        const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
        return parseFloat(getComputedStyle(svg).fontSize) * scale < 8;
      });
      const out = all("body *").filter((e) => e.scrollWidth > e.clientWidth
        && ["auto", "scroll"].includes(getComputedStyle(e).overflowX)
        && !e.matches("[tabindex='0'][role=region][aria-label]"));
      parent.postMessage(`too wide by ${root.scrollWidth - root.clientWidth}; cut charts: ${names(cut)}; `
        + `out of reach: ${names(out)}; small text: ${names(small)}; `
        + `landmarks: ${all("body > :not(script)").map((e) => e.tagName).join(" ")}`, "*");
      </script>
      """;

  private static long colours(BufferedImage image) {
    int[] pixels =
        image.getRGB(0, 0, image.getWidth(), image.getHeight(), null, 0, image.getWidth());
    return Arrays.stream(pixels).distinct().count();
  }

  /** Runs the browser until it exits and returns its log. */
  private String browse(Path out, String... arguments) throws IOException, InterruptedException {
    Path err = directory.resolve("browser.log");
    List<String> command = new ArrayList<>(List.of(String.valueOf(browser())));
    command.addAll(
        List.of(
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--host-resolver-rules=MAP * ~NOTFOUND",
            "--enable-logging=stderr",
            "--user-data-dir=" + directory.resolve("profile")));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    boolean ended = process.waitFor(90, TimeUnit.SECONDS);
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    assertThat(ended).as(Files.readString(err)).isTrue();
    return Files.readString(err);
  }

  static boolean hasBrowser() {
    return browser() != null;
  }

  private static @Nullable Path browser() {
    String named = System.getenv("CHATFLOW_TEST_CHROMIUM");
    return named != null
        ? Path.of(named)
        : Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
            .flatMap(folder ->
                Stream.of("chromium-headless-shell", "chromium", "chromium-browser")
                    .map(Path.of(folder)::resolve))
            .filter(Files::isExecutable)
            .findFirst()
            .orElse(null);
  }
}
