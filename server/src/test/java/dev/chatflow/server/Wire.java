package dev.chatflow.server;

/**
 * Receives from the test clients everything that servers send to them.
 *
 * <p>The integration tests' {@code EveryWord} watches; otherwise it is ignored. Thread-safe.
 */
public final class Wire {

  /** A watcher that must not throw, because it is called where frames are read. */
  public interface Watch {

    /** Reports a text frame of a server. */
    void frame(String text);

    /**
     * Reports a JSON body of a server.
     *
     * @param path below the context path, possibly with a query
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
