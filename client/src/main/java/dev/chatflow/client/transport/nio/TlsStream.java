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
 * TLS over one non-blocking socket.
 *
 * <p>The server's certificate must be trusted by the context and name the URI's host. Belongs to
 * its transport's thread.
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

  /** Goes on with the handshake; returns the operation it waits for, 0 when it is done. */
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

  /** Fills the target with what is there; -1 at the end of the stream. */
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
      flushed = false; // TLS itself has something to say first: read again when it could
    }
    return target.position() - from;
  }

  /** Whether a read may return something without anything new in the socket. */
  boolean hasMore() {
    return more;
  }

  /** Encrypts what it can; what the socket does not take of that waits for the next call. */
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

  /** Whether the socket took everything that was written. */
  boolean isFlushed() {
    return flushed;
  }

  void close() throws IOException {
    tls.close();
  }
}
