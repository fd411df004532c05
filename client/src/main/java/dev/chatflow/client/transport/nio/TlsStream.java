package dev.chatflow.client.transport.nio;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import tlschannel.ClientTlsChannel;
import tlschannel.HeapBufferAllocator;
import tlschannel.NeedsReadException;
import tlschannel.NeedsWriteException;
import tlschannel.TlsChannel;

/**
 * Encrypts one non-blocking socket with TLS.
 *
 * <p>The context must trust the server's certificate, which must have the URI's host name. Belongs
 * to its transport's thread.
 */
final class TlsStream {
  private final TlsChannel tls;
  private boolean flushed = true;
  private boolean more;

  TlsStream(SocketChannel socket, SSLContext context, URI uri) {
    SSLEngine engine = context.createSSLEngine(uri.getHost(), uri.getPort());
    engine.setUseClientMode(true);
    SSLParameters parameters = engine.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    engine.setSSLParameters(parameters);
    tls =
        ClientTlsChannel.newBuilder(socket, engine)
            .withEncryptedBufferAllocator(new HeapBufferAllocator()) // freed without Unsafe
            .build();
  }

  /** Continues the handshake; returns the operation it waits for, 0 when it is done. */
  int handshake() throws IOException {
    try {
      tls.handshake();
      return 0;
    } catch (NeedsReadException e) {
      return SelectionKey.OP_READ;
    } catch (NeedsWriteException e) {
      return SelectionKey.OP_WRITE;
    }
  }

  /** Reads available bytes into the target; -1 at the end of the stream. */
  int read(ByteBuffer target) throws IOException {
    int from = target.position();
    more = true;
    try {
      while (target.hasRemaining()) {
        if (tls.read(target) < 0) {
          return target.position() == from ? -1 : target.position() - from;
        }
      }
    } catch (NeedsReadException e) {
      more = false;
    } catch (NeedsWriteException e) {
      flushed = false; // TLS must write first; read again after that
    }
    return target.position() - from;
  }

  /** Returns whether a read may return bytes although the socket has none. */
  boolean hasMore() {
    return more;
  }

  /** Encrypts as much as possible; bytes that the socket does not accept wait for the next call. */
  int write(ByteBuffer source) throws IOException {
    int from = source.position();
    try {
      tls.write(source);
      flushed = true;
    } catch (NeedsReadException | NeedsWriteException e) {
      flushed = false;
    }
    return source.position() - from;
  }

  /** Returns whether the socket accepted everything. */
  boolean isFlushed() {
    return flushed;
  }

  void close() throws IOException {
    tls.close();
  }
}
