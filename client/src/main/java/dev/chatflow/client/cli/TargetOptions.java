package dev.chatflow.client.cli;

import dev.chatflow.client.CommandFailure;
import dev.chatflow.client.observe.ServerHealth;
import dev.chatflow.client.plan.Target;
import dev.chatflow.client.transport.Access;
import dev.chatflow.client.transport.Certificates;
import dev.chatflow.client.transport.Tokens;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which servers, and how long to wait for them. Filled by picocli, then read once. */
public final class TargetOptions {
  /** How long tokens are good that nobody gave a time. */
  static final Duration LIFE = Duration.ofDays(1);

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

  @Option(names = "--wait", defaultValue = "0", description = "wait for healthy servers first")
  private Duration patience = Duration.ZERO;

  @Option(
      names = "--token",
      paramLabel = "TOKEN|@FILE",
      description = "sent as bearer token with every connection; never stored")
  private @Nullable String token;

  @Option(
      names = "--token-key",
      paramLabel = "FILE",
      description =
          "makes a token for each user itself: a secret of 32 bytes or more, or a private key of"
              + " RSA or P-256 (PEM)")
  private @Nullable Path tokenKey;

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

  @Option(
      names = "--cacert",
      paramLabel = "PEM",
      description = "file of the only certificates that sign for wss:// and https://")
  private @Nullable Path cacert;

  @Option(names = "--insecure", description = "take every certificate, whatever name it has")
  private boolean insecure;

  public Target target() {
    List<String> all = given();
    return new Target(
        all.isEmpty() ? List.of(DEFAULT_URL) : all.stream().map(Secrets::withoutUser).toList());
  }

  /** The servers for rooms of this size. */
  Target target(int roomSize) {
    return byRoom ? target().byRoom(roomSize) : target();
  }

  /** What connections carry: headers, the token, and the user that a URL names. */
  public Access access() {
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
    return new Access(
        lines, localAddresses.stream().map(Secrets::address).toList(), certificates());
  }

  /** What makes a token for each user; null when none is wanted. */
  public @Nullable Tokens tokens() {
    return tokens(LIFE);
  }

  /**
   * What makes a token for each user; null when none is wanted.
   *
   * @param life how long a token is good
   */
  @Nullable Tokens tokens(Duration life) {
    if (token != null && tokenKey != null) {
      throw CommandFailure.usage("--token and --token-key exclude each other");
    }
    return tokenKey == null ? null : new Tokens(Secrets.key("--token-key", tokenKey), life);
  }

  /** The header line that shows a token made for this user; empty when none is wanted. */
  public String pass(String user, String name, String room) {
    Tokens maker = tokens();
    return maker == null ? "" : Tokens.header(maker.of(user, name, room));
  }

  /** What certificates are checked against; null: the system's. */
  @Nullable SSLContext certificates() {
    if (insecure && cacert != null) {
      throw CommandFailure.usage("--insecure and --cacert exclude each other");
    }
    if (insecure) {
      return Certificates.unchecked();
    }
    try {
      return cacert == null ? null : Certificates.of(cacert);
    } catch (IOException e) {
      throw CommandFailure.usage(
          "--cacert must be a file of PEM certificates, found " + cacert + ": " + e.getMessage());
    }
  }

  private List<String> given() {
    List<String> all = new ArrayList<>(urls);
    all.addAll(serverUrls);
    return all;
  }

  /** Asks every server of a target for its health, for as long as the user waits. */
  public List<ServerHealth> health(Target target) throws InterruptedException {
    List<ServerHealth> servers = new ArrayList<>();
    for (int server = 0; server < target.urls().size(); server++) {
      servers.add(ServerHealth.await(target.pageOf(server, "/health"), patience, certificates()));
    }
    return servers;
  }
}
