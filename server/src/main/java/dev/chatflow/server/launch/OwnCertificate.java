package dev.chatflow.server.launch;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;

/**
 * A certificate for this machine, signed by its own authority, to try out TLS: no other machine
 * trusts it. The authority's key is deleted right after signing, so that it cannot sign anything
 * else.
 *
 * @param authority the certificate that clients have to trust, in PEM
 * @param certificate of the server, in PEM
 * @param key of the certificate, in PEM, readable only by this user
 */
record OwnCertificate(Path authority, Path certificate, Path key) {

  private static final Duration VALID = Duration.ofDays(365);

  /** A certificate that expires soon is created again. */
  private static final Duration OLD = VALID.minusDays(30);

  private static final String PASSWORD = "CHATFLOW_KEYTOOL_PASSWORD";
  private static final int PASSWORD_BYTES = 16;

  static OwnCertificate in(Path directory) {
    return new OwnCertificate(
        directory.resolve("ca.pem"),
        directory.resolve("certificate.pem"),
        directory.resolve("key.pem"));
  }

  /**
   * Creates it, unless it exists and is valid for a while.
   *
   * @throws IOException naming the folder in which it cannot be created
   */
  void make() throws IOException, InterruptedException {
    try {
      if (!isGood()) {
        recreate();
      }
    } catch (IOException | GeneralSecurityException e) {
      throw new IOException(
          "cannot create a certificate in " + key.getParent() + ": " + e.getMessage(), e);
    }
  }

  private boolean isGood() throws IOException {
    if (!Files.isReadable(authority) || !Files.isReadable(certificate) || !Files.exists(key)) {
      return false;
    }
    long made = Files.getLastModifiedTime(key).toMillis();
    return System.currentTimeMillis() - made < OLD.toMillis();
  }

  private void recreate() throws IOException, GeneralSecurityException, InterruptedException {
    Files.createDirectories(key.toAbsolutePath().getParent(), mode("rwx------"));
    byte[] random = new byte[PASSWORD_BYTES];
    new SecureRandom().nextBytes(random);
    String password = HexFormat.of().formatHex(random);
    Path store = key.resolveSibling("made.p12");
    Files.deleteIfExists(store);
    try {
      keytool(store, password, "authority", "CN=ChatFlow trial authority", "-ext", "bc:c");
      String names = "san=dns:localhost,dns:" + hostName() + ",ip:127.0.0.1,ip:::1";
      keytool(store, password, "server", "CN=localhost", "-signer", "authority", "-ext", names);
      write(KeyStore.getInstance(store.toFile(), password.toCharArray()), password);
    } finally {
      Files.deleteIfExists(store);
    }
  }

  private static String hostName() throws IOException {
    String name = InetAddress.getLocalHost().getHostName();
    return name.matches("[A-Za-z0-9.-]+") ? name : "localhost";
  }

  /**
   * Runs the JDK's keytool, because the JDK has no other way to sign. The password is not an
   * argument, which all users could read.
   */
  private static void keytool(
      Path store, String password, String alias, String name, String... more)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC")); // it lives a second
    command.addAll(List.of("-genkeypair", "-alias", alias, "-dname", name, "-keyalg", "EC"));
    command.addAll(List.of("-groupname", "secp256r1", "-validity", "" + VALID.toDays()));
    command.addAll(List.of("-keystore", store.toString(), "-storetype", "PKCS12"));
    command.addAll(List.of("-storepass:env", PASSWORD));
    command.addAll(List.of(more));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put(PASSWORD, password);
    Process keytool = builder.start();
    keytool.getOutputStream().close();
    String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (keytool.waitFor() != 0) {
      throw new IOException("keytool: " + said.strip());
    }
  }

  private void write(KeyStore made, String password) throws IOException, GeneralSecurityException {
    StringBuilder chain = new StringBuilder();
    for (Certificate each : made.getCertificateChain("server")) {
      chain.append(pem("CERTIFICATE", each.getEncoded()));
    }
    byte[] secret = made.getKey("server", password.toCharArray()).getEncoded();
    Files.deleteIfExists(key);
    Files.createFile(key, mode("rw-------"));
    Files.writeString(key, pem("PRIVATE KEY", secret));
    Files.writeString(certificate, chain);
    Files.writeString(authority, pem("CERTIFICATE", made.getCertificate("authority").getEncoded()));
  }

  private static String pem(String what, byte[] encoded) {
    String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded);
    return "-----BEGIN %s-----%n%s%n-----END %s-----%n".formatted(what, lines, what);
  }

  private static FileAttribute<?> mode(String permissions) {
    return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions));
  }
}
