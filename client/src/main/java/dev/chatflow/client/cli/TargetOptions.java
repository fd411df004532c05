package dev.chatflow.client.cli;

import dev.chatflow.client.plan.Target;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which servers, and how long to wait for them. Filled by picocli, then read once. */
final class TargetOptions {
  private static final String DEFAULT_URL = "ws://localhost:8080/chat";

  @Parameters(
      paramLabel = "URL",
      arity = "0..*",
      description = "servers; several share the users in turn; {room} stands for the room id")
  private List<String> urls = new ArrayList<>();

  @Option(names = "--server-url", paramLabel = "URL", description = "same as the parameter URL")
  private List<String> serverUrls = new ArrayList<>();

  @Option(
      names = "--wait",
      defaultValue = "0",
      converter = Values.DurationConverter.class,
      description = "wait for healthy servers first")
  private Duration patience = Duration.ZERO;

  Target target() {
    List<String> all = new ArrayList<>(urls);
    all.addAll(serverUrls);
    return new Target(all.isEmpty() ? List.of(DEFAULT_URL) : all);
  }

  Duration patience() {
    return patience;
  }
}
