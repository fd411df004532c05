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

/** The options for servers and access to them. Filled by picocli, then read once. */
public final class TargetOptions {
  /** The default validity of tokens. */
  static final Duration LIFE = Duration.ofDays(1);

  private static final String DEFAULT_URL = "ws://localhost:8080/chat";

  @Parameters(
      paramLabel = "URL",
      arity = "0..*",
      description = "servers; several share the users in turn; {room} is replaced by the room id")
  private List<String> urls = new ArrayList<>();

  @Option(names = "--server-url", paramLabel = "URL", description = "same as the parameter URL")
  private List<String> serverUrls = new ArrayList<>();

  @Option(
      names = "--by-room",
      description = "distribute rooms, instead of the users of each room, over several servers")
  private boolean byRoom;

  @Option(
      names = "--wait",
      paramLabel = "DUR",
      defaultValue = "0",
      description = "maximum wait for healthy servers before the run")
  private Duration patience = Duration.ZERO;

  @Option(
      names = "--token",
      paramLabel = "TOKEN|@FILE",
      description = "bearer token for every connection; never stored")
  private @Nullable String token;

  @Option(
      names = "--token-key",
      paramLabel = "FILE",
      description =
          "key with which to create a token for each user: a secret of 32 bytes or more, or a"
              + " private RSA or P-256 key (PEM)")
  private @Nullable Path tokenKey;

  @Option(
      names = {"-H", "--header"},
      paramLabel = "K:V",
      description = "header for every connection; repeatable; never stored")
  private List<String> headers = new ArrayList<>();

  @Option(
      names = "--local-address",
      paramLabel = "IP",
      split = ",",
      description =
          "source IP addresses, used round-robin; more than 28,000 connections need several")
  private List<String> localAddresses = new ArrayList<>();

  @Option(
      names = "--cacert",
      paramLabel = "PEM",
      description = "CA certificates (PEM) to trust instead of the system's")
  private @Nullable Path cacert;

  @Option(names = "--insecure", description = "accept any certificate, with any name")
  private boolean insecure;

  public Target target() {
    List<String> all = given();
    return new Target(
        all.isEmpty() ? List.of(DEFAULT_URL) : all.stream().map(Secrets::withoutUser).toList());
  }

  /** Returns the servers for rooms of this size. */
  Target target(int roomSize) {
    return byRoom ? target().byRoom(roomSize) : target();
  }

  /** Returns the credentials of connections: headers, the token, and the user in a URL. */
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

  /** Returns the maker of a token for each user; null without tokens. */
  public @Nullable Tokens tokens() {
    return tokens(LIFE);
  }

  /**
   * Returns the maker of a token for each user; null without tokens.
   *
   * @param life validity of a token
   */
  @Nullable Tokens tokens(Duration life) {
    if (token != null && tokenKey != null) {
      throw CommandFailure.usage("--token and --token-key cannot be combined");
    }
    return tokenKey == null ? null : new Tokens(Secrets.key("--token-key", tokenKey), life);
  }

  /** Returns the header line with a token for this user; empty without tokens. */
  public String pass(String user, String name, String room) {
    Tokens maker = tokens();
    return maker == null ? "" : Tokens.header(maker.of(user, name, room));
  }

  /** Returns the trusted certificates; null for the system's. */
  @Nullable SSLContext certificates() {
    if (insecure && cacert != null) {
      throw CommandFailure.usage("--insecure and --cacert cannot be combined");
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

  /** Requests the health of every server of a target, up to the wait that the user set. */
  public List<ServerHealth> health(Target target) throws InterruptedException {
    List<ServerHealth> servers = new ArrayList<>();
    for (int server = 0; server < target.urls().size(); server++) {
      servers.add(ServerHealth.await(target.pageOf(server, "/health"), patience, certificates()));
    }
    return servers;
  }
}
