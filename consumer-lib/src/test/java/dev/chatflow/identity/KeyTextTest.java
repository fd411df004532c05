package dev.chatflow.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import com.nimbusds.jose.jwk.RSAKey;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeyTextTest {

  private static final String SECRET = "0123456789abcdef0123456789abcdef";

  private final List<String> skipped = new ArrayList<>();

  private List<TokenKey> ofFile(byte[] content) {
    return KeyText.ofFile(content, skipped::add);
  }

  private List<TokenKey> ofAddress(byte[] content) {
    return KeyText.ofAddress(content, skipped::add);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] set(JWK... keys) {
    return bytes(new JWKSet(List.of(keys)).toString(/* publicKeysOnly= */ false));
  }

  private static List<JWSAlgorithm> algorithms(List<TokenKey> keys) {
    return keys.stream().map(TokenKey::algorithm).toList();
  }

  @Test
  void keyNamesItsPurpose() {
    assertThat(algorithms(ofFile(bytes(SECRET)))).containsExactly(JWSAlgorithm.HS256);
    assertThat(algorithms(ofFile(Issuer.rs256().keyFile()))).containsExactly(JWSAlgorithm.RS256);
    assertThat(algorithms(ofFile(Issuer.es256().keyFile()))).containsExactly(JWSAlgorithm.ES256);
  }

  @Test
  void lineEndBehindASecretIsNoPartOfIt() {
    Issuer issuer = Issuer.hs256(SECRET);
    TokenReader reader =
        new TokenReader(
            () -> ofFile(bytes(SECRET + "\r\n")), RequiredClaims.NONE, ClaimNames.USUAL);
    long now = System.currentTimeMillis();
    assertThat(reader.judge(issuer.token("1", Duration.ofHours(1), "5"), now))
        .isInstanceOf(TokenVerdict.Known.class);
  }

  @Test
  void shortSecretIsRefusedAndNotShown() {
    assertThatThrownBy(() -> ofFile(bytes("too short\n")))
        .hasMessage("a secret of 9 bytes: at least 32 are needed");
  }

  @Test
  void weakOrOtherKeysAreRefused() {
    assertThatThrownBy(() -> ofFile(Issuer.pem(Issuer.rsa(1_024))))
        .hasMessage("an RSA key of 1024 bits: at least 2048 are needed");
    assertThatThrownBy(() -> ofFile(Issuer.pem(Issuer.ec("secp384r1"))))
        .hasMessage("a key that is neither RSA nor of P-256");
    String text = new String(Issuer.rs256().keyFile(), StandardCharsets.US_ASCII);
    assertThatThrownBy(() -> ofFile(bytes(text.replace("PUBLIC", "PRIVATE"))))
        .hasMessageContaining("a PRIVATE KEY where a PUBLIC KEY is needed");
    assertThatThrownBy(() -> ofFile(bytes("-----BEGIN PUBLIC KEY-----\nnothing")))
        .hasMessageContaining("0 keys");
  }

  @Test
  void setHoldsThoseThatSignAndOthersArePassedOver() throws Exception {
    KeyPair rsa = Issuer.rsa(2_048);
    KeyPair ec = Issuer.ec("secp256r1");
    JWK signs = new RSAKey.Builder((RSAPublicKey) rsa.getPublic()).keyID("a").build();
    JWK encrypts =
        new RSAKey.Builder((RSAPublicKey) rsa.getPublic()).keyUse(KeyUse.ENCRYPTION).build();
    JWK other =
        new RSAKey.Builder((RSAPublicKey) rsa.getPublic()).algorithm(JWSAlgorithm.PS256).build();
    JWK curve = new ECKey.Builder(Curve.P_256, (ECPublicKey) ec.getPublic()).build();
    assertThat(algorithms(ofAddress(set(signs, encrypts, other, curve))))
        .containsExactly(JWSAlgorithm.RS256, JWSAlgorithm.ES256);
    assertThat(skipped)
        .containsExactly(
            "a key without kid: its use is enc, not sig",
            "a key without kid: its alg is PS256: RS256, ES256 and HS256 are accepted");
    JWK secret = new OctetSequenceKey.Builder(bytes(SECRET)).build();
    assertThat(algorithms(ofFile(set(secret)))).containsExactly(JWSAlgorithm.HS256);
    assertThatThrownBy(() -> ofAddress(set(secret)))
        .hasMessage("a key without kid: a secret that is public at this address");
  }

  /** One entry added by a provider must not disable its other keys. */
  @Test
  void keyThatCannotBeReadDoesNotSpoilTheSet() throws Exception {
    String good =
        new RSAKey.Builder((RSAPublicKey) Issuer.rsa(2_048).getPublic()).build().toJSONString();
    String rsa = good.substring(0, good.length() - 1);
    List<String> bad =
        List.of(
            rsa + ",\"kid\":\"cert\",\"x5c\":[\"MIIC\"]}",
            "{\"kty\":\"AKP\",\"kid\":\"new\",\"alg\":\"ML-DSA-44\",\"pub\":\"AAAA\"}",
            "{\"kty\":\"OKP\",\"kid\":\"ed\",\"crv\":\"Ed25519\",\"x\":\"" + "A".repeat(43) + "\"}",
            "{\"kty\":\"oct\",\"kid\":\"secret\",\"k\":17}",
            "17",
            "{\"kid\":\"\\u001b[2J\"}");
    for (String entry : bad) {
      skipped.clear();
      assertThat(ofFile(bytes("{\"keys\":[" + entry + "," + good + "]}"))).as(entry).hasSize(1);
      assertThat(skipped).as(entry).hasSize(1);
      assertThat(skipped.getFirst())
          .startsWith(entry.contains("kid") ? "kid " : "a key")
          .doesNotContain("\u001b");
    }
  }

  @Test
  void otherBlocksOfAPemFileDoNotSpoilIt() {
    String text =
        new String(Issuer.rs256().keyFile(), StandardCharsets.US_ASCII)
            + new String(Issuer.pem(Issuer.rsa(1_024)), StandardCharsets.US_ASCII);
    assertThat(ofFile(bytes(text))).hasSize(1);
    assertThat(skipped).containsExactly("an RSA key of 1024 bits: at least 2048 are needed");
  }

  @Test
  void discoveryDocumentLeadsToTheSet() {
    assertThat(KeyText.keysAddress(bytes("{\"jwks_uri\":\"https://idp.example.com/keys\"}")))
        .isEqualTo("https://idp.example.com/keys");
    assertThat(KeyText.keysAddress(bytes("{\"keys\":[]}"))).isNull();
    assertThat(KeyText.keysAddress(bytes("<html>"))).isNull();
  }

  @Test
  void setIsBoundedAndWellFormed() {
    JWK[] many = new JWK[KeyText.MAX_KEYS + 1];
    Arrays.setAll(
        many, i -> new OctetSequenceKey.Builder(bytes(SECRET + i)).keyID("k" + i).build());
    assertThatThrownBy(() -> ofFile(set(many))).hasMessageContaining("33 keys");
    assertThatThrownBy(() -> ofFile(bytes("{\"keys\":17}"))).hasMessageContaining("JWKS");
    assertThatThrownBy(() -> ofAddress(bytes("<html>"))).hasMessageContaining("JWKS");
    String base64 = Base64.getUrlEncoder().encodeToString(bytes(SECRET));
    assertThat(ofFile(bytes(base64))).as("a secret may be any text").hasSize(1);
  }
}
