package dev.chatflow.server.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnCertificateTest {

  private final Path directory;
  private final OwnCertificate own;

  OwnCertificateTest(@TempDir Path parent) {
    directory = parent.resolve("secure");
    own = OwnCertificate.in(directory);
  }

  private static List<X509Certificate> read(Path file) throws IOException, CertificateException {
    try (InputStream in = Files.newInputStream(file)) {
      return CertificateFactory.getInstance("X.509").generateCertificates(in).stream()
          .map(X509Certificate.class::cast)
          .toList();
    }
  }

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void authorityVouchesForThisMachineAndOnlyTheOwnerReadsTheKey() throws Exception {
    own.make();
    X509Certificate authority = read(own.authority()).getFirst();
    X509Certificate certificate = read(own.certificate()).getFirst();
    certificate.verify(authority.getPublicKey());
    assertThat(certificate.getSubjectAlternativeNames().toString())
        .contains("localhost", "127.0.0.1");
    assertThat(authority.getBasicConstraints()).isNotNegative();
    assertThat(certificate.getBasicConstraints()).isNegative();
    assertThat(Files.readString(own.key())).startsWith("-----BEGIN PRIVATE KEY-----");
    try (var files = Files.list(directory)) {
      assertThat(files).containsExactlyInAnyOrder(own.authority(), own.certificate(), own.key());
    }
    assertThat(mode(directory)).isEqualTo("rwx------");
    assertThat(mode(own.key())).isEqualTo("rw-------");
  }

  @Test
  void recentCertificateIsKeptAndAnOldOneReplaced() throws Exception {
    own.make();
    String first = Files.readString(own.certificate());
    own.make();
    assertThat(Files.readString(own.certificate())).isEqualTo(first);
    long longAgo = System.currentTimeMillis() - 340L * 24 * 3_600_000;
    Files.setLastModifiedTime(own.key(), FileTime.fromMillis(longAgo));
    own.make();
    assertThat(Files.readString(own.certificate())).isNotEqualTo(first);
  }

  @Test
  void folderThatCannotBeIsNamed() throws Exception {
    Files.createFile(directory);
    assertThatThrownBy(own::make)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cannot create a certificate in " + directory);
  }
}
