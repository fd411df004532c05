package dev.chatflow.broker.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A RabbitMQ node for tests, run by {@code infra/rabbitmq/test-broker} on free loopback ports.
 *
 * <p>{@link #start} creates one that its test may stop, restart and freeze; ports and data are kept
 * across restarts. {@link #sharedManagement} is the node shared by all test JVMs of this folder.
 */
public final class RabbitNode implements AutoCloseable {

  public static final String ABSENT = "RabbitMQ is not installed (package rabbitmq-server)";

  /** From the folder of a module, where Maven starts its tests. */
  private static final Path SCRIPT = Path.of("../infra/rabbitmq/test-broker").toAbsolutePath();

  private static @Nullable URI shared;

  private final Path directory;
  private final URI uri;

  private RabbitNode() throws IOException {
    // As root, the node runs as user rabbitmq, which needs access.
    directory =
        Files.createTempDirectory(
            "chatflow-rabbitmq-",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
    uri = launch();
  }

  /** For JUnit's conditions. */
  public static boolean isInstalled() {
    Stream<Path> folders =
        Stream.concat(
            Stream.of(Path.of("/usr/lib/rabbitmq/bin")),
            Stream.of(System.getenv("PATH").split(":", -1)).map(Path::of));
    return Files.isExecutable(SCRIPT)
        && folders.anyMatch(folder -> Files.isExecutable(folder.resolve("rabbitmq-server")));
  }

  /** Starts a node, which takes seconds; {@link #close} removes it with its data. */
  public static RabbitNode start() throws IOException {
    return new RabbitNode();
  }

  public URI uri() {
    return uri;
  }

  public void stop() throws IOException {
    script("stop");
  }

  public void startAgain() throws IOException {
    URI again = launch();
    if (!again.equals(uri)) {
      throw new IllegalStateException("it listened on " + uri + " and does now on " + again);
    }
  }

  private URI launch() throws IOException {
    return address(script("start"), "amqp=");
  }

  private List<String> script(String verb) throws IOException {
    return run(SCRIPT.toString(), verb, directory.resolve("node").toString());
  }

  private static URI address(List<String> said, String name) {
    return said.stream()
        .filter(line -> line.startsWith(name))
        .map(line -> URI.create(line.substring(name.length())))
        .findFirst()
        .orElseThrow();
  }

  /** Freezes the node: it keeps its connections and answers nothing until {@link #thaw}. */
  public void freeze() throws IOException {
    signal("-STOP");
  }

  public void thaw() throws IOException {
    signal("-CONT");
  }

  private void signal(String signal) throws IOException {
    String pid = Files.readString(directory.resolve("node/node.started")).strip();
    ProcessHandle node = ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
    List<String> command = new ArrayList<>(List.of("kill", signal, pid));
    node.descendants().forEach(child -> command.add(Long.toString(child.pid())));
    run(command.toArray(String[]::new));
  }

  @Override
  public void close() throws IOException {
    script("kill"); // a stop takes seconds, for data that is deleted
    run("rm", "-rf", directory.toString());
  }

  /**
   * Returns the lines that a command prints.
   *
   * @throws IOException if its exit status is not 0; with its output
   */
  public static List<String> run(String... command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      int status = process.waitFor();
      if (status != 0) {
        throw new IOException(String.join(" ", command) + ": status " + status + ": " + said);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    return said.lines().toList();
  }

  /**
   * Returns the management API of the shared node, with user and password.
   *
   * <p>The first JVM that calls starts the node, the last that ends stops it. Until then each holds
   * a shared lock on a file, which the system releases even if the JVM is killed.
   */
  static synchronized URI sharedManagement() {
    if (shared == null) {
      try {
        shared = share();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return shared;
  }

  private static URI share() throws IOException {
    String folder = Integer.toHexString(SCRIPT.normalize().hashCode());
    Path directory = Path.of(System.getProperty("java.io.tmpdir"), "chatflow-tests-" + folder);
    Files.createDirectories(directory);
    FileChannel users = open(directory.resolve("users.lock"));
    FileLock using = users.lock(0, Long.MAX_VALUE, true);
    String node = directory.resolve("node").toString();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> leave(users, using, node)));
    try (FileChannel starting = open(directory.resolve("start.lock"));
        FileLock _ = starting.lock()) {
      return address(run(SCRIPT.toString(), "start", node), "management=");
    }
  }

  private static FileChannel open(Path file) throws IOException {
    return FileChannel.open(
        file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  private static void leave(FileChannel users, FileLock using, String node) {
    try (users) {
      using.release();
      FileLock alone = users.tryLock();
      if (alone != null) {
        run(SCRIPT.toString(), "kill", node); // its data is deleted
        run("rm", "-rf", node);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
