package dev.chatflow.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/**
 * The version of this build.
 *
 * @param version the project's version
 * @param revision the commit, or {@code unknown}
 */
record BuildInfo(String version, String revision) {

  static BuildInfo read() {
    Properties properties = new Properties();
    try (InputStream in = BuildInfo.class.getResourceAsStream("build.properties")) {
      if (in != null) {
        properties.load(in);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new BuildInfo(
        properties.getProperty("version", "unknown"),
        properties.getProperty("revision", "unknown"));
  }
}
