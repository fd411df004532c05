package dev.chatflow.client.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.security.cert.CertificateException;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the reasons for exceptions of the JDK, which often have no message. */
final class ReasonTest {
  @ParameterizedTest(name = "{1}")
  @MethodSource("failures")
  void reasonIsExpressedInWords(Throwable failure, String words) {
    assertThat(Reason.of(failure)).isEqualTo(words).doesNotContain("null");
  }

  static Stream<Arguments> failures() {
    return Stream.of(
        Arguments.of(new ConnectException(), "connection refused"),
        Arguments.of(new ConnectException("Connection refused"), "connection refused"),
        Arguments.of(new ConnectException("No route to host"), "no route to host"),
        Arguments.of(outer(new ConnectException()), "connection refused"),
        Arguments.of(
            (ConnectException) new ConnectException().initCause(new UnresolvedAddressException()),
            "host not found"),
        Arguments.of(new UnknownHostException("nowhere"), "host not found"),
        Arguments.of(new UnresolvedAddressException(), "host not found"),
        Arguments.of(new SocketTimeoutException("Connect timed out"), "no answer in time"),
        Arguments.of(new HttpConnectTimeoutException("late"), "no answer in time"),
        Arguments.of(
            new SSLException("Unsupported or unrecognized SSL message"),
            "this port does not use TLS: use ws:// or http:// instead of wss:// or https://"),
        Arguments.of(
            tls("unable to find valid certification path", new CertificateException("path")),
            "certificate not trusted: unable to find valid certification path; trust its issuer"
                + " with --cacert FILE, or any certificate with --insecure"),
        Arguments.of(
            tls("Received fatal alert: protocol_version", null),
            "TLS failed: Received fatal alert: protocol_version"),
        Arguments.of(new IOException("Broken pipe"), "Broken pipe"),
        Arguments.of(new IOException(), "IOException"),
        Arguments.of(
            new IOException("HTTP 404 from /api/overview"), "HTTP 404 from /api/overview"));
  }

  private static SSLException tls(String message, @Nullable Exception cause) {
    SSLException inner = new SSLHandshakeException(message);
    inner.initCause(cause);
    return (SSLException) new SSLHandshakeException(message).initCause(inner);
  }

  private static IOException outer(IOException cause) {
    return new IOException(cause);
  }
}
