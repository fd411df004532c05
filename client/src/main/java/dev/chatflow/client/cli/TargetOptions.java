package dev.chatflow.client.cli;

import dev.chatflow.client.plan.Target;
import dev.chatflow.client.transport.Access;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
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
      names = "--by-room",
      description = "several servers share the rooms in turn, not the users of each room")
  private boolean byRoom;

  @Option(
      names = "--wait",
      defaultValue = "0",
      converter = Values.DurationConverter.class,
      description = "wait for healthy servers first")
  private Duration patience = Duration.ZERO;

  @Option(
      names = "--token",
      paramLabel = "TOKEN|@FILE",
      description = "sent as bearer token with every connection; never stored")
  private @Nullable String token;

  @Option(
      names = {"-H", "--header"},
      paramLabel = "K:V",
      description = "sent with every connection; repeatable; never stored")
  private List<String> headers = new ArrayList<>();

  @Option(
      names = "--local-address",
      paramLabel = "IP",
      split = ",",
      description = "own addresses, used in turns; several for more than 28,000 connections")
  private List<String> localAddresses = new ArrayList<>();

  Target target() {
    List<String> all = given();
    return new Target(
        all.isEmpty() ? List.of(DEFAULT_URL) : all.stream().map(Secrets::withoutUser).toList());
  }

  /** The servers for rooms of this size. */
  Target target(int roomSize) {
    return byRoom ? target().byRoom(roomSize) : target();
  }

  /** What connections carry: headers, the token, and the user that a URL names. */
  Access access() {
    List<String> lines = new ArrayList<>();
    for (String header : headers) {
      lines.add(Secrets.header(header));
    }
    if (token != null) {
      lines.add("Authorization: Bearer " + Secrets.token(token));
    }
    given().stream()
        .map(Secrets::basicOf)
        .filter(line -> !line.isEmpty())
        .findFirst()
        .ifPresent(lines::add);
    return new Access(lines, localAddresses.stream().map(Secrets::address).toList());
  }

  private List<String> given() {
    List<String> all = new ArrayList<>(urls);
    all.addAll(serverUrls);
    return all;
  }

  Duration patience() {
    return patience;
  }
}
