package dev.chatflow.server.launch;

import dev.chatflow.config.Effective;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The server's configuration as the web application itself reads it: every key with the value in
 * force, secrets masked.
 *
 * <p>Immutable. The application's classes are loaded once for reading and let go, so that defaults
 * and rules have one home.
 *
 * @param values by key without prefix, such as {@code PORT}
 * @param text the same as {@code KEY=value} lines
 */
record EffectiveConfig(Map<String, String> values, String text) {

  private static final String SERVER_CONFIG = "dev.chatflow.server.ServerConfig";

  EffectiveConfig {
    values = Map.copyOf(values);
  }

  /**
   * Reads what this process was given.
   *
   * @throws StartException when it cannot be used
   */
  static EffectiveConfig read(Path application) throws StartException {
    return asked(
        application,
        type -> {
          Object config = type.getMethod("fromProcess").invoke(null);
          Map<String, String> values = new LinkedHashMap<>();
          Effective<?> effective = (Effective<?>) type.getMethod("effective").invoke(config);
          effective.values().forEach((key, value) -> values.put(key.name(), value));
          return new EffectiveConfig(values, effective.describe());
        });
  }

  /** A file of all keys to start from, as the application has it. */
  static String template(Path application) throws StartException {
    return asked(application, type -> (String) type.getMethod("template").invoke(null));
  }

  /** A question to the application's own configuration. */
  private interface Question<T> {
    T ask(Class<?> type) throws ReflectiveOperationException;
  }

  private static <T> T asked(Path application, Question<T> question) throws StartException {
    try (URLClassLoader loader =
        new URLClassLoader(
            "configuration", classPath(application), EffectiveConfig.class.getClassLoader())) {
      return question.ask(Class.forName(SERVER_CONFIG, true, loader));
    } catch (InvocationTargetException e) {
      throw StartException.misconfigured(ContainerLog.reason(e));
    } catch (ReflectiveOperationException | IOException e) {
      throw StartException.failed(
          "the application in " + application + " is not complete: " + e, e);
    }
  }

  private static URL[] classPath(Path application) throws IOException {
    Path inside = application.resolve("WEB-INF");
    List<URL> urls = new ArrayList<>();
    urls.add(inside.resolve("classes").toUri().toURL());
    try (DirectoryStream<Path> jars = Files.newDirectoryStream(inside.resolve("lib"), "*.jar")) {
      for (Path jar : jars) {
        urls.add(jar.toUri().toURL());
      }
    }
    return urls.toArray(URL[]::new);
  }

  String value(String key) {
    String value = values.get(key);
    if (value == null) {
      throw new IllegalArgumentException("no configuration key " + key);
    }
    return value;
  }

  int number(String key) {
    return Integer.parseInt(value(key));
  }
}
