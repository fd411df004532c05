package dev.chatflow.server.edge;

/**
 * Pings quiet connections, and ends those with a lost peer, with an expired token, or that do not
 * join.
 *
 * <p>Run by the server's timer once per heartbeat. A paused connection is not checked, because its
 * pongs are not read.
 */
public final class Heartbeat implements Runnable {

  private final ConnectionRegistry connections;

  public Heartbeat(ConnectionRegistry connections) {
    this.connections = connections;
  }

  @Override
  public void run() {
    for (ChatConnection connection : connections.all()) {
      if (connection.isPaused()) {
        connection.received();
      }
      connection.judgeAccess();
      connection.endIfOutside();
      if (!connection.beat()) {
        connection.peerLost();
      }
    }
  }
}
