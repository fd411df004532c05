package dev.chatflow.client.cli;

import dev.chatflow.client.CommandFailure;
import dev.chatflow.client.ExitCode;
import dev.chatflow.client.transport.TokenKey;
import dev.chatflow.client.transport.Tokens;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code token}: creates a token for trying out a server, and the key that both need. */
@Command(
    name = "token",
    description = "create a token, or the key that servers check tokens with",
    mixinStandardHelpOptions = true,
    abbreviateSynopsis = true,
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {
      "  ${COMMAND-FULL-NAME} --new-key token.key",
      "  ${COMMAND-FULL-NAME} --key token.key --user 17 --room 5 --link http://localhost:8080/",
      "  ${COMMAND-FULL-NAME} --key token.key --service --ttl 10m"
    })
final class TokenCommand implements Callable<ExitCode> {
  private final Surroundings surroundings;

  @Option(
      names = "--key",
      paramLabel = "FILE",
      description =
          "signing key: a secret of 32 bytes or more, or a private RSA or P-256 key (PEM)")
  private @Nullable Path key;

  @Option(names = "--user", paramLabel = "ID", description = "user of the token, its subject")
  private @Nullable String user;

  @Option(
      names = "--room",
      paramLabel = "ROOM",
      description =
          "room in which the token is valid; team-* for all rooms with this prefix, *" + " for all")
  private @Nullable String room;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "only user name that the token allows [default: any]")
  private String name = "";

  @Option(
      names = "--service",
      description = "create a token for all users in all rooms, for back ends and the load client")
  private boolean service;

  @Option(
      names = "--moderate",
      description =
          "also allow moderating the room: edit and delete messages, mute and remove users")
  private boolean moderate;

  @Option(
      names = "--ttl",
      paramLabel = "DUR",
      defaultValue = "1h",
      description = "validity [default: ${DEFAULT-VALUE}]")
  private Duration life = Duration.ofHours(1);

  @Option(
      names = "--link",
      arity = "0..1",
      paramLabel = "URL",
      fallbackValue = "http://localhost:8080/",
      description =
          "print a link that opens the page of this server with the token [default:"
              + " ${FALLBACK-VALUE}]")
  private @Nullable String link;

  @Option(
      names = "--new-key",
      paramLabel = "FILE",
      description = "create a new secret in this file, which only its owner can read")
  private @Nullable Path newKey;

  TokenCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public ExitCode call() {
    Path made = newKey;
    if (made != null) {
      make(made);
    }
    boolean isRequested = service || user != null || room != null;
    if (made == null || isRequested) {
      String token = token(made);
      surroundings.print(link == null ? token : linkOf(link, token));
    }
    return ExitCode.PASSED;
  }

  private String token(@Nullable Path made) {
    Path file = key == null ? made : key;
    if (file == null) {
      throw CommandFailure.usage("--key FILE is required; create a key with --new-key FILE");
    }
    if (life.compareTo(Duration.ofSeconds(1)) < 0) {
      throw CommandFailure.usage("--ttl must be 1s or more, found " + life.toMillis() + "ms");
    }
    TokenKey signing = Secrets.key("--key", file);
    return new Tokens(signing, life).of(subject(), name, rooms(), moderate);
  }

  private String subject() {
    if (service == (user != null)) {
      throw CommandFailure.usage("give either --user ID or --service");
    }
    return user == null ? Tokens.SERVICE : user;
  }

  private String rooms() {
    if (room == null && !service) {
      throw CommandFailure.usage("--room ROOM is required; * allows all rooms");
    }
    return room == null ? Tokens.SERVICE : room;
  }

  /** Puts the token into the fragment of the address, which browsers do not send to servers. */
  private String linkOf(String page, String token) {
    String base = page.endsWith("/") ? page : page + "/";
    String path = rooms().contains(Tokens.SERVICE) ? "" : "rooms/" + rooms();
    return base + path + "#token=" + token;
  }

  /**
   * Creates a secret of 256 random bits as text, with a line end so that editors change nothing.
   */
  private static void make(Path file) {
    byte[] secret = new byte[TokenKey.MIN_SECRET_BYTES];
    new SecureRandom().nextBytes(secret);
    try {
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Files.writeString(file, HexFormat.of().formatHex(secret) + "\n");
    } catch (FileAlreadyExistsException _) {
      throw CommandFailure.usage(
          "--new-key: " + file + " exists already; --new-key does not overwrite files");
    } catch (IOException e) {
      throw CommandFailure.usage("--new-key cannot write " + file + ": " + e);
    }
  }
}
