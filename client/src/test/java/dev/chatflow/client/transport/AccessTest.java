package dev.chatflow.client.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AccessTest {
  @TempDir Path directory;

  @Test
  void eachHeaderHasItsOwnLine() {
    Access access =
        new Access(List.of("Authorization: Bearer secret", "X-Tenant: 7"), List.of(), null);
    assertThat(access.headerLines()).isEqualTo("Authorization: Bearer secret\r\nX-Tenant: 7\r\n");
    assertThat(Access.OPEN.headerLines()).isEmpty();
  }

  @Test
  void secretsAreNotPrinted() {
    Access access = new Access(List.of("Authorization: Bearer secret"), List.of(), null);
    assertThat(access).hasToString("1 headers, []");
  }

  @Test
  void givenOrSystemCertificatesAreTrusted() throws Exception {
    assertThat(Access.OPEN.trusted()).isSameAs(javax.net.ssl.SSLContext.getDefault());
    var unchecked = Certificates.unchecked();
    assertThat(new Access(List.of(), List.of(), unchecked).trusted()).isSameAs(unchecked);
  }

  @Test
  void fileWithoutACertificateIsRefused() throws IOException {
    Path empty = Files.writeString(directory.resolve("empty.pem"), "");
    assertThatThrownBy(() -> Certificates.of(empty)).hasMessage("no certificate in it");
    Path text = Files.writeString(directory.resolve("text.pem"), "hello\n");
    assertThatThrownBy(() -> Certificates.of(text)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> Certificates.of(directory.resolve("absent.pem")))
        .isInstanceOf(IOException.class);
  }
}
