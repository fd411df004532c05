package dev.chatflow.server.edge;

/**
 * Pings connections that are quiet, gives up those whose peer has gone without a word, and ends
 * those whose token has, or who do not join.
 *
 * <p>Run by the server's timer once per heartbeat. A paused connection is not judged: its pongs are
 * not read.
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
