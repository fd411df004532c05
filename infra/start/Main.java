import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.jar.Manifest;

/**
 * The entry of every program that {@code java -jar} starts: says in one line when the JVM is too
 * old, else starts the class that the jar's manifest names as {@code Program-Class}.
 *
 * <p>Compiled for an old JVM, which can therefore load it; the rest of the jar is not.
 */
@SuppressWarnings("DefaultPackage") // the root of the WAR
public final class Main {

  private static final int NEEDED = 25;
  private static final int NO_JDK = 3;

  private Main() {}

  /**
   * Starts the program.
   *
   * @param arguments see {@code --help}
   * @throws ReflectiveOperationException when the jar is not complete
   * @throws IOException when its manifest cannot be read
   */
  public static void main(String[] arguments) throws ReflectiveOperationException, IOException {
    int version = Runtime.version().feature();
    if (version < NEEDED) {
      System.err.println("chatflow: needs Java " + NEEDED + " or newer, this is Java " + version);
      System.exit(NO_JDK);
    }
    Class.forName(program()).getMethod("main", String[].class).invoke(null, (Object) arguments);
  }

  /** The manifest of this jar is the first of the class path. */
  private static String program() throws IOException {
    URL manifest = Main.class.getResource("/META-INF/MANIFEST.MF");
    if (manifest == null) {
      throw new IOException("this jar has no manifest");
    }
    try (InputStream in = manifest.openStream()) {
      return new Manifest(in).getMainAttributes().getValue("Program-Class");
    }
  }
}
