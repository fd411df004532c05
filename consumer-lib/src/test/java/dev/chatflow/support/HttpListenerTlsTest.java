package dev.chatflow.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HttpListenerTlsTest {

  private static final InetSocketAddress FREE =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private static Path made;

  @SuppressWarnings("NullAway.Init")
  private static Tls ec;

  @SuppressWarnings("NullAway.Init")
  private static Tls rsa;

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path directory;

  @BeforeAll
  static void makeCertificates() throws Exception {
    ec = TestCertificate.make(made, "EC");
    rsa = TestCertificate.make(made, "RSA");
  }

  private static HttpListener listener(Tls tls) throws IOException {
    HttpListener listener = new HttpListener(FREE, "test-", _ -> Answer.ok("well"), tls);
    listener.start();
    return listener;
  }

  /** Each time over a new connection. */
  private static HttpResponse<String> get(HttpListener listener, Tls trusted, String... headers)
      throws Exception {
    URI uri = URI.create(listener.scheme() + "://localhost:" + listener.address().getPort());
    HttpRequest.Builder request = HttpRequest.newBuilder(uri);
    if (headers.length > 0) {
      request.headers(headers);
    }
    try (HttpClient client =
        HttpClient.newBuilder().sslContext(TestCertificate.trusting(trusted)).build()) {
      return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }
  }

  @Test
  void answersByTlsAndToItsOwnPages() throws Exception {
    try (HttpListener listener = listener(ec)) {
      String origin = "://localhost:" + listener.address().getPort();
      assertThat(get(listener, ec).body()).isEqualTo("\"well\"");
      assertThat(get(listener, ec, "Origin", "https" + origin).statusCode()).isEqualTo(200);
      assertThat(get(listener, ec, "Origin", "http" + origin).statusCode()).isEqualTo(403);
    }
  }

  @Test
  void newFilesApplyToNewConnectionsAndAnInvalidPairDoesNot() throws Exception {
    Tls tls = new Tls(copy(ec.certificate(), "certificate"), copy(ec.key(), "key"));
    try (HttpListener listener = listener(tls)) {
      replace(rsa.certificate(), tls.certificate(), 1);
      try (CapturedLog log = CapturedLog.of(CertificateWatch.class)) {
        look(listener);
        assertThat(log.lines()).singleElement().asString().contains("the key does not match");
      }
      assertThat(get(listener, ec).statusCode()).as("no pair: the last good one").isEqualTo(200);
      replace(rsa.key(), tls.key(), 2);
      look(listener);
      assertThat(get(listener, rsa).statusCode()).isEqualTo(200);
      assertThatThrownBy(() -> get(listener, ec)).isInstanceOf(SSLHandshakeException.class);
    }
  }

  private Path copy(Path file, String name) throws IOException {
    return Files.copy(file, directory.resolve(name));
  }

  private static void replace(Path with, Path file, long second) throws IOException {
    Files.copy(with, file, StandardCopyOption.REPLACE_EXISTING);
    Files.setLastModifiedTime(file, FileTime.fromMillis(1_000 * second));
  }

  /** A change is read once the files are stable. */
  private static void look(HttpListener listener) {
    CertificateWatch watch = Objects.requireNonNull(listener.certificate);
    watch.run();
    watch.run();
  }

  @Test
  void unusableValuesAreNamed() throws Exception {
    Tls other = TestCertificate.make(directory, "EC");
    for (Tls wrong :
        List.of(new Tls(ec.certificate(), other.key()), new Tls(ec.certificate(), rsa.key()))) {
      assertThatThrownBy(() -> listener(wrong))
          .isInstanceOf(IOException.class)
          .hasMessage(
              "certificate %s with key %s: the key does not match the first certificate",
              wrong.certificate(), wrong.key());
    }
    assertThatThrownBy(() -> listener(new Tls(ec.certificate(), ec.certificate())))
        .hasMessageContaining("there is no PRIVATE KEY in the second file");
    assertThatThrownBy(() -> listener(new Tls(ec.key(), ec.key()))).isInstanceOf(IOException.class);
  }
}
