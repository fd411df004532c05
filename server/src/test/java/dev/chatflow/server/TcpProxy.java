package dev.chatflow.server;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * A network link that can fail: forwards TCP connections of a free loopback port to its targets in
 * turn, skipping a target that does not answer.
 *
 * <p>Thread-safe. Each connection has two virtual threads, which hold at most {@value #BUFFER}
 * bytes each.
 */
public final class TcpProxy implements Closeable {

  private static final int BUFFER = 8_192;
  private static final int CONNECT_MILLIS = 2_000;

  private final ServerSocket listener;
  private final int socketBuffer;
  private final List<InetSocketAddress> targets = new CopyOnWriteArrayList<>();
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

  /** Bytes received from each target. */
  private final Map<Socket, Long> said = new ConcurrentHashMap<>();

  // Guarded by this; written with notifyAll.
  private boolean frozen;
  private boolean mute;
  private @Nullable Socket silent;
  private boolean cut;
  private int turn;

  private TcpProxy(int socketBuffer) throws IOException {
    this.socketBuffer = socketBuffer;
    listener = new ServerSocket();
    if (socketBuffer > 0) {
      listener.setReceiveBufferSize(socketBuffer);
    }
    listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1_024);
    Thread.startVirtualThread(this::accept);
  }

  /** Forwards to the targets on loopback, by their ports. */
  public static TcpProxy to(int... ports) throws IOException {
    return narrow(0, ports);
  }

  /** As {@link #to}, with sockets that buffer about this many bytes on each side. */
  public static TcpProxy narrow(int socketBuffer, int... ports) throws IOException {
    TcpProxy proxy = new TcpProxy(socketBuffer);
    for (int port : ports) {
      proxy.alsoTo(port);
    }
    return proxy;
  }

  /** Forwards to another machine's address. */
  public static TcpProxy to(InetSocketAddress target) throws IOException {
    TcpProxy proxy = new TcpProxy(0);
    proxy.targets.add(target);
    return proxy;
  }

  /** Adds a target. */
  public void alsoTo(int port) {
    targets.add(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
  }

  /** Uses only this target for new connections. */
  public void onlyTo(int port) {
    alsoTo(port);
    targets.removeIf(target -> target.getPort() != port);
  }

  public int port() {
    return listener.getLocalPort();
  }

  /** Returns the number of open connections. */
  public int connections() {
    return sockets.size() / 2;
  }

  /**
   * Returns the number of connections whose target sends at least this many bytes while the task
   * runs.
   */
  public int speakingWhile(Runnable talk, int leastBytes) {
    Map<Socket, Long> before = Map.copyOf(said);
    talk.run();
    return (int)
        said.entrySet().stream()
            .filter(each -> each.getValue() - before.getOrDefault(each.getKey(), 0L) >= leastBytes)
            .count();
  }

  /** Fault: nothing gets through any more, without any notification. */
  public synchronized void freeze() {
    frozen = true;
  }

  /** Fault: bytes of the targets are held back; bytes to them get through. */
  public synchronized void mute() {
    mute = true;
  }

  /** Fault: of the open connections, the one whose target has sent most gets nothing through. */
  public synchronized void silenceBusiest() {
    silent =
        said.entrySet().stream()
            .filter(each -> sockets.contains(each.getKey()))
            .max(Map.Entry.comparingByValue())
            .map(Map.Entry::getKey)
            .orElseThrow();
  }

  /** Fault: every connection is reset, including new ones. */
  public void cut() {
    synchronized (this) {
      cut = true;
      notifyAll();
    }
    sockets.forEach(TcpProxy::reset);
  }

  /** Ends all faults. */
  public synchronized void restore() {
    frozen = false;
    mute = false;
    silent = null;
    cut = false;
    notifyAll();
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket socket = listener.accept();
        Thread.startVirtualThread(() -> forward(socket));
      } catch (IOException _) {
        // closed, or the peer was gone already
      }
    }
  }

  private void forward(Socket near) {
    try (near) {
      if (!mayFlow(false, near)) {
        reset(near);
        return;
      }
      try (Socket far = connect()) {
        sockets.add(near);
        sockets.add(far);
        near.setTcpNoDelay(true);
        if (socketBuffer > 0) {
          near.setSendBufferSize(socketBuffer);
        }
        far.setTcpNoDelay(true);
        Thread back = Thread.startVirtualThread(() -> pump(far, near, true));
        pump(near, far, false);
        back.join();
      } finally {
        sockets.remove(near);
      }
    } catch (IOException _) {
      reset(near);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private Socket connect() throws IOException {
    IOException last = new IOException("no target");
    for (int i = 0; i < targets.size(); i++) {
      Socket socket = new Socket();
      try {
        if (socketBuffer > 0) {
          socket.setReceiveBufferSize(socketBuffer);
          socket.setSendBufferSize(socketBuffer);
        }
        socket.connect(next(), CONNECT_MILLIS);
        return socket;
      } catch (IOException e) {
        socket.close();
        last = e;
      }
    }
    throw last;
  }

  private synchronized InetSocketAddress next() {
    List<InetSocketAddress> now = List.copyOf(targets);
    return now.get(turn++ % now.size());
  }

  /** Forwards one direction until its end, which is passed on. */
  private void pump(Socket from, Socket to, boolean back) {
    byte[] bytes = new byte[BUFFER];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
        if (back) {
          said.merge(from, (long) n, Long::sum);
        }
        if (!mayFlow(back, from)) {
          return;
        }
        out.write(bytes, 0, n);
      }
      if (mayFlow(back, from)) {
        to.shutdownOutput();
      }
    } catch (IOException _) {
      reset(from);
      reset(to);
    } finally {
      sockets.remove(from);
      said.remove(from);
    }
  }

  /** Waits while nothing gets through in this direction; false if cut. */
  private synchronized boolean mayFlow(boolean back, Socket from) {
    try {
      while ((frozen || (back && (mute || from.equals(silent)))) && !cut) {
        wait();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    }
    return !cut;
  }

  private static void reset(Socket socket) {
    try {
      socket.setSoLinger(true, 0);
      socket.close();
    } catch (IOException _) {
      // closed is the goal
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    cut();
  }
}
