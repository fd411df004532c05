package dev.chatflow.start;

import java.lang.reflect.Proxy;

/**
 * Hands the signals that ask a process to stop to its program: SIGTERM, and the SIGINT of Ctrl-C.
 *
 * <p>Not a shutdown hook: hooks run at the same time as each other, so that the embedded broker
 * would end before the server has drained, and they cannot choose the exit status. By reflection,
 * because the compiler warns of this API.
 */
public final class StopSignals {

  private StopSignals() {}

  /**
   * From now on each of these signals calls the action, on a thread of its own.
   *
   * @throws ReflectiveOperationException when this JVM hands over no signals, as with {@code -Xrs}
   */
  public static void handle(Runnable action) throws ReflectiveOperationException {
    Class<?> signal = Class.forName("sun.misc.Signal");
    Class<?> handler = Class.forName("sun.misc.SignalHandler");
    Object react =
        Proxy.newProxyInstance(
            handler.getClassLoader(),
            new Class<?>[] {handler},
            (proxy, method, arguments) -> {
              action.run();
              return null;
            });
    for (String name : new String[] {"TERM", "INT"}) {
      Object one = signal.getConstructor(String.class).newInstance(name);
      signal.getMethod("handle", signal, handler).invoke(null, one, react);
    }
  }
}
