package dev.chatflow.client.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that tokens can be verified with the key. */
final class TokenKeyTest {
  private static final Base64.Decoder URL = Base64.getUrlDecoder();
  private static final String SECRET = "0123456789abcdef0123456789abcdef";

  @TempDir Path directory;

  private String token(String key) throws IOException {
    Path file = Files.writeString(directory.resolve("key"), key);
    return new Tokens(TokenKey.read(file), Duration.ofMinutes(5)).of("17", "user17", "5");
  }

  private static JsonObject part(String token, int number) {
    String part = token.split("\\.", -1)[number];
    return JsonParser.parseString(new String(URL.decode(part), StandardCharsets.UTF_8))
        .getAsJsonObject();
  }

  private static byte[] signed(String token) {
    return token.substring(0, token.lastIndexOf('.')).getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] signature(String token) {
    return URL.decode(token.substring(token.lastIndexOf('.') + 1));
  }

  private static String pem(String label, byte[] encoded) {
    String text = Base64.getMimeEncoder().encodeToString(encoded);
    return "-----BEGIN " + label + "-----\n" + text + "\n-----END " + label + "-----\n";
  }

  private static KeyPair pair(String family, int bits) throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance(family);
    if (family.equals("EC")) {
      generator.initialize(new ECGenParameterSpec("secp" + bits + "r1"));
    } else {
      generator.initialize(bits);
    }
    return generator.generateKeyPair();
  }

  private static boolean verifies(String how, KeyPair pair, String token) throws Exception {
    Signature check = Signature.getInstance(how);
    check.initVerify(pair.getPublic());
    check.update(signed(token));
    return check.verify(signature(token));
  }

  @Test
  void claimsNameUserRoomAndExpiry() throws IOException {
    JsonObject claims = part(token(SECRET), 1);
    assertThat(claims.get("sub").getAsString()).isEqualTo("17");
    assertThat(claims.get("name").getAsString()).isEqualTo("user17");
    assertThat(claims.getAsJsonArray("rooms")).hasToString("[\"5\"]");
    assertThat(claims.get("exp").getAsLong() - Instant.now().getEpochSecond())
        .isBetween(200L, 300L);
  }

  @Test
  void secretSignsWithoutItsLineEnd() throws Exception {
    String token = token(SECRET + "\n");
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(SECRET.getBytes(StandardCharsets.US_ASCII), "HmacSHA256"));
    assertThat(signature(token)).isEqualTo(mac.doFinal(signed(token)));
    assertThat(part(token, 0).get("alg").getAsString()).isEqualTo("HS256");
  }

  @Test
  void privateKeysSignWithTheAlgorithmOfTheirFamily() throws Exception {
    KeyPair rsa = pair("RSA", 2048);
    String token = token(pem("PRIVATE KEY", rsa.getPrivate().getEncoded()));
    assertThat(part(token, 0).get("alg").getAsString()).isEqualTo("RS256");
    assertThat(verifies("SHA256withRSA", rsa, token)).isTrue();
    KeyPair ec = pair("EC", 256);
    token = token(pem("PRIVATE KEY", ec.getPrivate().getEncoded()));
    assertThat(part(token, 0).get("alg").getAsString()).isEqualTo("ES256");
    assertThat(signature(token)).hasSize(64);
    assertThat(verifies("SHA256withECDSAinP1363Format", ec, token)).isTrue();
  }

  @Test
  void weakAndUnsupportedKeysAreRejectedWithTheRequirement() throws Exception {
    refused(SECRET.substring(1), "at least 32 bytes, found 31");
    refused(pem("RSA PRIVATE KEY", new byte[40]), "openssl pkcs8 -topk8");
    refused(pem("PUBLIC KEY", pair("EC", 256).getPublic().getEncoded()), "found a PUBLIC KEY");
    refused(pem("PRIVATE KEY", pair("EC", 384).getPrivate().getEncoded()), "or P-256");
    refused(pem("PRIVATE KEY", pair("RSA", 1024).getPrivate().getEncoded()), "2048 bits");
    refused(pem("PRIVATE KEY", pair("Ed25519", 255).getPrivate().getEncoded()), "or P-256");
  }

  private void refused(String key, String why) {
    assertThatThrownBy(() -> token(key)).isInstanceOf(IOException.class).hasMessageContaining(why);
  }

  @Test
  void keyIsNotPrinted() throws IOException {
    Path file = Files.writeString(directory.resolve("key"), SECRET);
    assertThat(new Tokens(TokenKey.read(file), Duration.ofHours(1)).toString())
        .doesNotContain(SECRET);
  }
}
