package dev.chatflow.server.simulation.mutant;

import dev.chatflow.server.simulation.plan.Met;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.util.Objects;

/**
 * Loads product and simulation again, apart from the counters of {@link Met}. The build excludes
 * these classes from the measurement of coverage, which takes a third of the time.
 */
public class SeparateLoader extends ClassLoader {

  private static final String OURS = "dev.chatflow.";

  public SeparateLoader() {
    super(SeparateLoader.class.getClassLoader());
  }

  /**
   * Creates an object of a class that is loaded again.
   *
   * @param <T> a type that is loaded once for all
   */
  @SuppressWarnings("unchecked") // the same class, loaded again
  public <T> T anew(Class<? extends T> type) {
    try {
      return (T) loadClass(type.getName()).getDeclaredConstructor().newInstance();
    } catch (ClassNotFoundException
        | NoSuchMethodException
        | InstantiationException
        | IllegalAccessException
        | InvocationTargetException e) {
      throw new IllegalStateException(type + " cannot be loaded again", e);
    }
  }

  @Override
  protected final Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(OURS) || name.startsWith(Met.class.getName())) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> known = findLoadedClass(name);
      if (known != null) {
        return known;
      }
      byte[] code = code(name);
      return defineClass(name, code, 0, code.length);
    }
  }

  /** Returns the bytes of a class. */
  byte[] code(String name) {
    String file = name.replace('.', '/') + ".class";
    try (InputStream in = Objects.requireNonNull(getParent()).getResourceAsStream(file)) {
      return Objects.requireNonNull(in, name).readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
