package dev.chatflow.http;

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
import java.util.Objects;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpListenerTlsTest {

  private static final InetSocketAddress FREE =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path directory;

  private static HttpListener listener(Tls tls) throws IOException {
    HttpListener listener = new HttpListener(FREE, "test-", _ -> Answer.ok("well"), tls);
    listener.start();
    return listener;
  }

  /** Each time by a connection of its own. */
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

  @ParameterizedTest
  @ValueSource(strings = {"EC", "RSA"})
  void answersByTlsAndToItsOwnPages(String algorithm) throws Exception {
    Tls tls = TestCertificate.make(directory, algorithm);
    try (HttpListener listener = listener(tls)) {
      String origin = "://localhost:" + listener.address().getPort();
      assertThat(get(listener, tls).body()).isEqualTo("\"well\"");
      assertThat(get(listener, tls, "Origin", "https" + origin).statusCode()).isEqualTo(200);
      assertThat(get(listener, tls, "Origin", "http" + origin).statusCode()).isEqualTo(403);
    }
  }

  @Test
  void newFilesAreInForceForWhoComesThenAndABadPairIsNot() throws Exception {
    Tls tls = TestCertificate.make(directory, "EC");
    Tls next = TestCertificate.make(directory, "RSA");
    Tls first = new Tls(copy(tls.certificate(), "first"), copy(tls.key(), "key"));
    try (HttpListener listener = listener(tls)) {
      replace(next.certificate(), tls.certificate(), 1);
      look(listener);
      assertThat(get(listener, first).statusCode()).as("no pair: the last good one").isEqualTo(200);
      replace(next.key(), tls.key(), 2);
      look(listener);
      assertThat(get(listener, next).statusCode()).isEqualTo(200);
      assertThatThrownBy(() -> get(listener, first)).isInstanceOf(SSLHandshakeException.class);
    }
  }

  private Path copy(Path file, String name) throws IOException {
    return Files.copy(file, directory.resolve(name));
  }

  private static void replace(Path with, Path file, long second) throws IOException {
    Files.copy(with, file, StandardCopyOption.REPLACE_EXISTING);
    Files.setLastModifiedTime(file, FileTime.fromMillis(1_000 * second));
  }

  /** A change is read once it stands still. */
  private static void look(HttpListener listener) {
    CertificateWatch watch = Objects.requireNonNull(listener.certificate);
    watch.run();
    watch.run();
  }

  @Test
  void whatCannotBeUsedIsNamed() throws Exception {
    Tls one = TestCertificate.make(directory, "EC");
    Tls other = TestCertificate.make(directory, "EC");
    Tls rsa = TestCertificate.make(directory, "RSA");
    for (Tls wrong :
        new Tls[] {
          new Tls(one.certificate(), other.key()), new Tls(one.certificate(), rsa.key())
        }) {
      assertThatThrownBy(() -> listener(wrong))
          .isInstanceOf(IOException.class)
          .hasMessage(
              "certificate %s with key %s: the key is not that of the first certificate",
              wrong.certificate(), wrong.key());
    }
    assertThatThrownBy(() -> listener(new Tls(one.certificate(), one.certificate())))
        .hasMessageContaining("there is no PRIVATE KEY in the second file");
    assertThatThrownBy(() -> listener(new Tls(one.key(), one.key())))
        .isInstanceOf(IOException.class);
  }
}
