package dev.chatflow.server.http;

import jakarta.servlet.http.HttpServlet;

/**
 * Drains the server in {@code destroy}, the container's last call while sockets still work, on
 * undeploy, shutdown and embedded stop. Serves no requests.
 */
public final class DrainServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  private final transient Runnable drain;

  public DrainServlet(Runnable drain) {
    this.drain = drain;
  }

  @Override
  public void destroy() {
    drain.run();
  }
}
