package dev.chatflow.server;

/**
 * Where the test clients show all that servers say to them.
 *
 * <p>The integration tests' {@code EveryWord} looks on; elsewhere nobody does. Any thread.
 */
public final class Wire {

  /** Who looks on, and does not throw: it is called where frames are read. */
  public interface Watch {

    /** A text frame from a server. */
    void frame(String text);

    /**
     * A body of JSON from a server.
     *
     * @param path below the context path, perhaps with a query
     */
    void answer(String method, String path, int status, String body);
  }

  private static final class Nobody implements Watch {
    @Override
    public void frame(String text) {}

    @Override
    public void answer(String method, String path, int status, String body) {}
  }

  private static volatile Watch watch = new Nobody();

  private Wire() {}

  public static void watch(Watch onlooker) {
    watch = onlooker;
  }

  static Watch watched() {
    return watch;
  }
}
