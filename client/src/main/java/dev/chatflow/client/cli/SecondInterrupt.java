package dev.chatflow.client.cli;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Lets a second Ctrl-C end the process at once: the JVM itself ignores it while it shuts down.
 *
 * <p>Works with {@code sun.misc.Signal}, which every JDK has and no API names, hence by name.
 */
final class SecondInterrupt {
  private SecondInterrupt() {}

  /** From now on the first Ctrl-C shuts down as before and a second one halts. */
  static void install() {
    AtomicInteger count = new AtomicInteger();
    InvocationHandler onSignal =
        (_, method, _) -> {
          if (method.getName().equals("handle")) {
            if (count.incrementAndGet() > 1) {
              Runtime.getRuntime().halt(ExitCodes.INTERRUPTED);
            }
            new Thread(() -> Runtime.getRuntime().exit(ExitCodes.INTERRUPTED), "interrupted")
                .start();
          }
          return null;
        };
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object proxy =
          Proxy.newProxyInstance(handler.getClassLoader(), new Class<?>[] {handler}, onSignal);
      Object interrupt = signal.getConstructor(String.class).newInstance("INT");
      signal.getMethod("handle", signal, handler).invoke(null, interrupt, proxy);
    } catch (ReflectiveOperationException | IllegalArgumentException e) {
      count.set(0); // a JVM without signals: one Ctrl-C still works
    }
  }
}
