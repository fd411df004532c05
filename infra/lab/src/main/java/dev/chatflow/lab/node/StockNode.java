package dev.chatflow.lab.node;

import dev.chatflow.server.StockTomcat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;

/** The WAR in Tomcat from its distribution archive, as a process. */
public final class StockNode implements Node {

  private final StockTomcat tomcat;

  private StockNode(StockTomcat tomcat) {
    this.tomcat = tomcat;
  }

  /** Starts Tomcat and waits until the application is ready. */
  public static StockNode start(Path base, URI broker, String... settings) throws Exception {
    return new StockNode(StockTomcat.start(base, "", broker, settings));
  }

  @Override
  public int port() {
    return tomcat.chat("1").getPort();
  }

  @Override
  public String output() {
    try {
      return tomcat.log();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    tomcat.close();
  }
}
