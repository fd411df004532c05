/**
 * The WAR's front door for {@code java -jar}: tells in one line when the JVM is too old.
 *
 * <p>Compiled for an old JVM, which therefore can load it; what it calls is not.
 */
@SuppressWarnings("DefaultPackage") // the root of the WAR
public final class Main {

  private static final int NEEDED = 25;
  private static final int NO_JDK = 3;

  private Main() {}

  /**
   * Starts what the arguments ask for and exits.
   *
   * @param arguments see {@code --help}
   * @throws ReflectiveOperationException when the WAR is not complete
   */
  public static void main(String[] arguments) throws ReflectiveOperationException {
    int version = Runtime.version().feature();
    if (version < NEEDED) {
      System.err.println("chatflow: needs Java " + NEEDED + " or newer, this is Java " + version);
      System.exit(NO_JDK);
    }
    Class.forName("WarLauncher").getMethod("main", String[].class).invoke(null, (Object) arguments);
  }
}
