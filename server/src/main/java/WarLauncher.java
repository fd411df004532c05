import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The WAR's front door for {@code java -jar}: unpacks the WAR, makes one class path of all its
 * jars, and calls the launcher. A program that is unpacked already ({@code --unpack}) is on such a
 * class path from the start.
 *
 * <p>Uses the JDK alone, because nothing else is on the class path yet. The launcher runs on the
 * main thread and takes requests to stop; one that comes before ends the process at once, and the
 * next start removes what was unpacked.
 */
@SuppressWarnings(
    "DefaultPackage") // a container serves what lies in a package of the WAR's root as a file
public final class WarLauncher {

  private static final String PREFIX = "chatflow-";
  private static final String LOCK = ".lock";

  /** Folder of the unpacked WAR. */
  private static final String APPLICATION = "application";

  private static final String LAUNCHER = "dev.chatflow.server.launch.Launcher";

  private static final int FAILED = 1;

  private WarLauncher() {}

  /**
   * Starts what the arguments ask for and exits.
   *
   * @param arguments see {@code --help}
   */
  public static void main(String[] arguments) {
    Locale.setDefault(Locale.ROOT); // texts and names are the same everywhere
    System.exit(run(arguments));
  }

  private static int run(String[] arguments) {
    Path directory = null;
    try {
      Path program =
          Path.of(WarLauncher.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      removeLeftovers(temporary());
      directory = Files.createTempDirectory("." + PREFIX);
      try (FileChannel channel =
              FileChannel.open(
                  directory.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          FileLock lock = channel.lock()) {
        if (!lock.isValid()) {
          throw new IOException("cannot lock " + directory);
        }
        directory = underItsFinalName(directory);
        return launch(List.of(arguments), directory, program);
      }
    } catch (IOException | URISyntaxException | ReflectiveOperationException e) {
      System.err.println("chatflow: cannot start: " + e);
      return FAILED;
    } finally {
      if (directory != null) {
        // The request to stop must not spoil the cleaning up.
        Thread.interrupted();
        removeTree(directory);
      }
    }
  }

  /**
   * Locked first, renamed then: another start must not take a directory just made for a leftover.
   */
  private static Path underItsFinalName(Path directory) throws IOException {
    return Files.move(
        directory, directory.resolveSibling(directory.getFileName().toString().substring(1)));
  }

  private static Path temporary() {
    return Path.of(System.getProperty("java.io.tmpdir"));
  }

  /**
   * Launches on the class path of this process where the program is unpacked, else unpacks it.
   *
   * @param directory of this process alone
   */
  private static int launch(List<String> arguments, Path directory, Path program)
      throws IOException, ReflectiveOperationException {
    ClassLoader own = WarLauncher.class.getClassLoader();
    if (own.getResource(LAUNCHER.replace('.', '/') + ".class") != null) {
      return launch(own, arguments, directory, program.resolveSibling(APPLICATION), program);
    }
    Path application = directory.resolve(APPLICATION);
    unpack(program, application);
    try (URLClassLoader loader =
        new URLClassLoader(
            "launcher", classPath(application), ClassLoader.getPlatformClassLoader())) {
      return launch(loader, arguments, directory, application, program);
    }
  }

  private static int launch(
      ClassLoader loader, List<String> arguments, Path directory, Path application, Path program)
      throws ReflectiveOperationException {
    Thread.currentThread().setContextClassLoader(loader);
    try {
      return (Integer)
          Class.forName(LAUNCHER, true, loader)
              .getMethod("launch", List.class, Path.class, Path.class, Path.class)
              .invoke(null, arguments, directory, application, program);
    } catch (InvocationTargetException e) {
      e.getCause().printStackTrace();
      return FAILED;
    }
  }

  /** Launcher, application, container and embedded broker: each class is there once. */
  private static URL[] classPath(Path application) throws IOException {
    Path inside = application.resolve("WEB-INF");
    List<URL> urls = new ArrayList<>();
    urls.add(url(inside.resolve("embed/classes")));
    urls.add(url(inside.resolve("classes")));
    addJars(urls, inside.resolve("embed"));
    addJars(urls, inside.resolve("lib"));
    return urls.toArray(URL[]::new);
  }

  private static void addJars(List<URL> urls, Path directory) throws IOException {
    try (DirectoryStream<Path> jars = Files.newDirectoryStream(directory, "*.jar")) {
      for (Path jar : jars) {
        urls.add(url(jar));
      }
    }
  }

  private static URL url(Path path) throws MalformedURLException {
    return path.toUri().toURL();
  }

  /**
   * Unpacks an archive.
   *
   * @throws IOException also when an entry would land outside of the directory
   */
  static void unpack(Path archive, Path directory) throws IOException {
    try (ZipFile zip = new ZipFile(archive.toFile())) {
      for (ZipEntry entry : (Iterable<ZipEntry>) zip.stream().map(ZipEntry.class::cast)::iterator) {
        Path target = directory.resolve(entry.getName()).normalize();
        if (!target.startsWith(directory)) {
          throw new IOException(archive + " has an entry outside of itself: " + entry.getName());
        }
        if (entry.isDirectory()) {
          Files.createDirectories(target);
        } else {
          Files.createDirectories(target.getParent());
          try (InputStream bytes = zip.getInputStream(entry)) {
            Files.copy(bytes, target);
          }
        }
      }
    }
  }

  /**
   * Removes what processes of this user that were killed have left behind: the system frees a lock
   * with its process. The folder above is everybody's: a directory of somebody else is not touched,
   * and a lock that is no file is not opened, for a pipe would hold this start for ever.
   */
  static void removeLeftovers(Path parent) throws IOException {
    try (DirectoryStream<Path> directories = Files.newDirectoryStream(parent, PREFIX + "*")) {
      for (Path directory : directories) {
        if (isLeftover(directory)) {
          removeTree(directory);
        }
      }
    }
  }

  private static boolean isLeftover(Path directory) {
    Path lock = directory.resolve(LOCK);
    try {
      if (!isOwn(directory) || !Files.isRegularFile(lock, LinkOption.NOFOLLOW_LINKS)) {
        return false;
      }
      try (FileChannel channel =
              FileChannel.open(lock, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
          FileLock held = channel.tryLock()) {
        return held != null;
      }
    } catch (IOException | OverlappingFileLockException _) {
      return false; // somebody else's
    }
  }

  /** Whether it is a directory, not a link to one, and belongs to whom this process runs as. */
  static boolean isOwn(Path directory) throws IOException {
    return Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)
        && Files.getOwner(directory, LinkOption.NOFOLLOW_LINKS).equals(me(directory));
  }

  private static UserPrincipal me(Path directory) throws IOException {
    return directory
        .getFileSystem()
        .getUserPrincipalLookupService()
        .lookupPrincipalByName(System.getProperty("user.name"));
  }

  private static void removeTree(Path directory) {
    try (Stream<Path> tree = Files.walk(directory)) {
      tree.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
    } catch (IOException | RuntimeException _) {
      // The next start tries again.
    }
  }
}
