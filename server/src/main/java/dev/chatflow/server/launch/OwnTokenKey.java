package dev.chatflow.server.launch;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A secret with which a server verifies tokens, and a first token signed with it (HS256). A reader
 * of the file could act as any user, so only this user can read it.
 *
 * @param file with 256 random bits, as text
 */
record OwnTokenKey(Path file) {

  private static final String ALGORITHM = "HmacSHA256";
  private static final int SECRET_BYTES = 32;

  /**
   * Creates it, unless it exists: links and commands of an earlier start stay valid.
   *
   * @throws IOException naming the file that cannot be written
   */
  void make() throws IOException {
    byte[] secret = new byte[SECRET_BYTES];
    new SecureRandom().nextBytes(secret);
    try {
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Files.writeString(file, HexFormat.of().formatHex(secret) + "\n");
    } catch (FileAlreadyExistsException _) {
      // of an earlier start
    } catch (IOException e) {
      throw new IOException("cannot create a token key: " + e, e);
    }
  }

  /**
   * Returns a token for a user in every room.
   *
   * @param life how long it is valid from now on
   * @throws IOException if the secret cannot be read or used
   */
  String token(String user, Duration life) throws IOException {
    String unsigned =
        encoded("{\"alg\":\"HS256\",\"typ\":\"JWT\"}")
            + "."
            + encoded(
                "{\"sub\":\"%s\",\"rooms\":[\"*\"],\"exp\":%d}"
                    .formatted(user, Instant.now().plus(life).getEpochSecond()));
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(Files.readString(file).strip().getBytes(UTF_8), ALGORITHM));
      return unsigned + "." + encoded(mac.doFinal(unsigned.getBytes(UTF_8)));
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw new IOException(file + " is not a secret for signing", e);
    }
  }

  private static String encoded(String json) {
    return encoded(json.getBytes(UTF_8));
  }

  private static String encoded(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
