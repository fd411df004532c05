import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * The signals that ask this process to stop: SIGTERM, and SIGINT of Ctrl-C.
 *
 * <p>Not a shutdown hook: hooks run side by side, and the embedded broker has one, so it would be
 * gone before the server has drained. By reflection, because the compiler warns of this API. One
 * thread calls; a signal is taken on a thread of its own.
 */
@SuppressWarnings({
  "DefaultPackage",
  "restricted"
}) // the root of the WAR; its manifest allows native calls
final class StopSignals {

  private static final List<String> NAMES = List.of("TERM", "INT");

  /** Means nothing to anybody here, and is taken behind the other two that came before it. */
  private static final String MARK = "WINCH";

  /** SIG_DFL, the same on all systems. */
  private static final MemorySegment BY_THE_SYSTEM = MemorySegment.NULL;

  private final Runnable request;
  private volatile boolean came;

  /**
   * Takes no signal yet.
   *
   * @param request called by the first signal alone: the terminal and a script may both send one,
   *     and draining goes on
   */
  StopSignals(Runnable request) {
    this.request = request;
  }

  /** Whether a request to stop has come. */
  boolean came() {
    return came;
  }

  /** From now on a signal is a request. */
  void take() throws ReflectiveOperationException {
    for (String name : NAMES) {
      handle(name, handler(this::requestOnce));
    }
  }

  private synchronized void requestOnce() {
    if (!came) {
      came = true;
      request.run();
    }
  }

  /**
   * From now on a signal ends the process at once. What came before that has been taken when this
   * returns: {@link #came} says so for certain, which it does not while signals are on their way
   * from the system to their threads.
   *
   * <p>By the system's own call: Java's forgets who was to be told, and what is on its way with it.
   */
  void leaveToTheSystem() throws ReflectiveOperationException {
    Linker linker = Linker.nativeLinker();
    MethodHandle call =
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow("signal"),
            FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
    for (String name : NAMES) {
      int number = (int) signalClass().getMethod("getNumber").invoke(signal(name));
      try {
        MemorySegment _ = (MemorySegment) call.invokeExact(number, BY_THE_SYSTEM);
      } catch (Throwable e) { // what a method handle declares
        throw new IllegalStateException("no signal is left to the system", e);
      }
    }
    awaitThoseThatCame();
  }

  private static void awaitThoseThatCame() throws ReflectiveOperationException {
    CountDownLatch marked = new CountDownLatch(1);
    handle(MARK, handler(marked::countDown));
    raise(MARK);
    try {
      marked.await();
      // Java takes each signal on a thread that it names so, begun in the order of the signals.
      for (Thread thread : Thread.getAllStackTraces().keySet()) {
        if (NAMES.stream().anyMatch(name -> thread.getName().equals("SIG" + name + " handler"))) {
          thread.join();
        }
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt(); // by the request
    }
    handle(MARK, handlerClass().getField("SIG_DFL").get(null));
  }

  /** Sends this process a signal, by its name without SIG. */
  static void raise(String name) throws ReflectiveOperationException {
    signalClass().getMethod("raise", signalClass()).invoke(null, signal(name));
  }

  private static void handle(String name, Object handler) throws ReflectiveOperationException {
    signalClass()
        .getMethod("handle", signalClass(), handlerClass())
        .invoke(null, signal(name), handler);
  }

  private static Object handler(Runnable action) throws ReflectiveOperationException {
    return Proxy.newProxyInstance(
        handlerClass().getClassLoader(),
        new Class<?>[] {handlerClass()},
        (_, _, _) -> {
          action.run();
          return null;
        });
  }

  private static Object signal(String name) throws ReflectiveOperationException {
    return signalClass().getConstructor(String.class).newInstance(name);
  }

  private static Class<?> signalClass() throws ClassNotFoundException {
    return Class.forName("sun.misc.Signal");
  }

  private static Class<?> handlerClass() throws ClassNotFoundException {
    return Class.forName("sun.misc.SignalHandler");
  }
}
