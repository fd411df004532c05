package dev.chatflow.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.chatflow.message.Rule;
import dev.chatflow.room.RoomId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class TokenReaderTest {

  private static final String SECRET = "0123456789abcdef0123456789abcdef";
  private static final Duration HOUR = Duration.ofHours(1);

  private static final Issuer HS = Issuer.hs256(SECRET);
  private static final Issuer RS = Issuer.rs256();
  private static final Issuer ES = Issuer.es256();

  private static TokenReader reader(Issuer... issuers) {
    return reader(RequiredClaims.NONE, ClaimNames.USUAL, issuers);
  }

  private static TokenReader reader(RequiredClaims required, ClaimNames names, Issuer... issuers) {
    List<TokenKey> keys =
        Stream.of(issuers)
            .flatMap(each -> KeyText.ofFile(each.keyFile(), _ -> {}).stream())
            .toList();
    return new TokenReader(() -> keys, required, names);
  }

  private static TokenVerdict judge(Issuer issuer, @Nullable String token) {
    return reader(issuer).judge(token, System.currentTimeMillis());
  }

  private static Identity known(TokenVerdict verdict) {
    assertThat(verdict).isInstanceOf(TokenVerdict.Known.class);
    return ((TokenVerdict.Known) verdict).identity();
  }

  private static void assertRefused(TokenVerdict verdict, String why) {
    assertThat(verdict).isInstanceOf(TokenVerdict.Unknown.class);
    assertThat(((TokenVerdict.Unknown) verdict).why()).contains(why);
    assertThat(((TokenVerdict.Unknown) verdict).expired()).isEqualTo(why.contains("expired"));
  }

  static List<Issuer> issuers() {
    return List.of(HS, RS, ES);
  }

  @ParameterizedTest
  @MethodSource("issuers")
  void validTokenNamesUserAndRooms(Issuer issuer) {
    Map<String, Object> claims = Issuer.claims("17", HOUR, "5", "team-*");
    claims.put("name", "user17");
    Identity identity = known(judge(issuer, issuer.sign(claims)));
    assertThat(identity.isOf("17")).isTrue();
    assertThat(identity.isService()).isFalse();
    assertThat(identity.refusalOf(new RoomId("5"))).isNull();
    assertThat(identity.refusalOf(new RoomId("team-7"))).isNull();
    assertThat(identity.refusalOf(new RoomId("55"))).contains("does not allow room 55");
    assertThat(identity.refusalAs("17", "user17")).isNull();
    assertThat(identity.refusalAs("18", "user17")).contains("for user 17, not for 18");
    assertThat(identity.refusalAs("17", "user18")).contains("names user17, not user18");
  }

  @Test
  void tokenWithoutNameBindsNone() {
    Identity identity = known(judge(HS, HS.token("17", HOUR, "*")));
    assertThat(identity.refusalAs("17", "whoever")).isNull();
    assertThat(identity.refusalOf(new RoomId("any-room"))).isNull();
  }

  @Test
  void serviceSpeaksAsAnyUserWhereItMay() {
    Identity service = known(judge(HS, HS.token("*", HOUR, "team-*")));
    assertThat(service.isService()).isTrue();
    assertThat(service.refusalAs("4711", "anybody")).isNull();
    assertThat(service.refusalOf(new RoomId("5"))).isNotNull();
    assertThat(service.isOf("*")).as("no user's own token").isFalse();
  }

  @Test
  void missingTokenIsAnsweredWithInstructions() {
    assertRefused(judge(HS, null), "Authorization: Bearer");
  }

  @Test
  void anotherIssuersTokenIsRefused() {
    Issuer other = Issuer.hs256("another secret of at least 32 bytes");
    assertRefused(judge(HS, other.token("17", HOUR, "5")), "not signed with a key of this server");
    assertRefused(
        judge(RS, Issuer.rs256().token("17", HOUR, "5")), "not signed with a key of this server");
    assertRefused(
        judge(ES, Issuer.es256().token("17", HOUR, "5")), "not signed with a key of this server");
  }

  @Test
  void bothKeysAreGoodDuringARotation() {
    TokenReader both = reader(HS, RS);
    long now = System.currentTimeMillis();
    known(both.judge(HS.token("17", HOUR, "5"), now));
    known(both.judge(RS.token("17", HOUR, "5"), now));
    assertRefused(
        both.judge(ES.token("17", HOUR, "5"), now), "not signed with a key of this server");
  }

  /** The classic attack: the public key, which is known, used as the secret of HS256. */
  @Test
  void publicKeyIsNoSecret() throws Exception {
    for (Issuer issuer : List.of(RS, ES)) {
      byte[] der =
          Base64.getMimeDecoder()
              .decode(
                  new String(issuer.keyFile(), StandardCharsets.US_ASCII)
                      .replaceAll("-----[A-Z ]+-----", ""));
      for (byte[] known : List.of(issuer.keyFile(), der)) {
        SignedJWT forged =
            new SignedJWT(
                new JWSHeader(JWSAlgorithm.HS256),
                new JWTClaimsSet.Builder()
                    .subject("17")
                    .claim("rooms", List.of("*"))
                    .expirationTime(Date.from(Instant.now().plus(HOUR)))
                    .build());
        forged.sign(new MACSigner(known));
        assertRefused(judge(issuer, forged.serialize()), "not signed with a key of this server");
      }
    }
  }

  @Test
  void tokenWithoutSignatureIsRefusedWhateverItsContent() {
    String claims = HS.token("17", HOUR, "5").split("[.]", -1)[1];
    String none = base64("{\"alg\":\"none\"}") + "." + claims + ".";
    assertRefused(judge(HS, none), "not a signed JSON Web Token");
    assertRefused(judge(HS, none + "AA"), "not a signed JSON Web Token");
    assertRefused(
        judge(HS, base64("{\"alg\":\"HS256\"}") + "." + claims + "."),
        "not a signed JSON Web Token");
  }

  /** A different hash length with the right secret is still not the algorithm of the key. */
  @Test
  void onlyTheKeyDecidesTheAlgorithm() throws Exception {
    String secret = SECRET.repeat(2);
    SignedJWT longer =
        new SignedJWT(
            new JWSHeader(JWSAlgorithm.HS512),
            new JWTClaimsSet.Builder().subject("17").claim("rooms", List.of("*")).build());
    longer.sign(new MACSigner(secret));
    assertRefused(judge(Issuer.hs256(secret), longer.serialize()), "signed with HS512");
  }

  @Test
  void headerWithUnknownCriticalParametersIsRefused() throws Exception {
    JWSHeader header =
        new JWSHeader.Builder(JWSAlgorithm.HS256)
            .criticalParams(Set.of("new"))
            .customParam("new", true)
            .build();
    SignedJWT token =
        new SignedJWT(
            header,
            new JWTClaimsSet.Builder()
                .subject("17")
                .claim("rooms", List.of("*"))
                .expirationTime(Date.from(Instant.now().plus(HOUR)))
                .build());
    token.sign(new MACSigner(SECRET));
    assertRefused(judge(HS, token.serialize()), "not signed with a key of this server");
  }

  @ParameterizedTest
  @MethodSource("needed")
  void requiredValuesMustBePresent(String claim) {
    Map<String, Object> claims = Issuer.claims("17", HOUR, "5");
    claims.remove(claim);
    assertRefused(judge(HS, HS.sign(claims)), "the token has no " + claim);
  }

  static Stream<String> needed() {
    return Stream.of("sub", "rooms", "exp");
  }

  @ParameterizedTest
  @MethodSource("odd")
  void refusalNamesTheClaimAndItsForm(String claim, Object value, String why) {
    Map<String, Object> claims = new HashMap<>(Issuer.claims("17", HOUR, "5"));
    claims.put(claim, value);
    assertRefused(judge(HS, HS.sign(claims)), "the token's " + claim + " " + why);
  }

  static Stream<Object[]> odd() {
    long now = System.currentTimeMillis();
    String rooms = "must be room ids, prefixes such as team-*, or *";
    String number = "must be a number: seconds since 1970";
    String far = "is more than 10 years ahead: it is in seconds since 1970, not milliseconds";
    return Stream.of(
        new Object[] {"rooms", "5", "must be a list of strings"},
        new Object[] {"rooms", List.of(5), "must be a list of strings"},
        new Object[] {"rooms", List.of("a room"), rooms},
        new Object[] {"rooms", List.of("*-team"), rooms},
        new Object[] {"rooms", List.of(""), rooms},
        new Object[] {"name", 17, "must be a string"},
        new Object[] {"sub", 17, "must be a string"},
        new Object[] {"sub", "", Rule.USER_ID.text()},
        new Object[] {"exp", String.valueOf(now / 1_000 + 600), number},
        new Object[] {"exp", List.of(1), number},
        new Object[] {"exp", now + 600_000, far},
        new Object[] {"exp", Long.MAX_VALUE, far},
        new Object[] {"exp", 1e300, far},
        new Object[] {"nbf", "soon", number},
        new Object[] {"nbf", now, far});
  }

  /** The keys of an identity provider sign the tokens of other applications, too. */
  @Test
  void tokenMustNameTheRequiredIssuerAndAudience() {
    TokenReader reader =
        reader(new RequiredClaims("https://id.example.com/", "chat"), ClaimNames.USUAL, HS);
    Map<String, Object> claims = new HashMap<>(Issuer.claims("17", HOUR, "5"));
    long now = System.currentTimeMillis();
    assertRefused(reader.judge(HS.sign(claims), now), "iss must be https://id.example.com/");
    claims.put("iss", "https://id.example.com/");
    assertRefused(reader.judge(HS.sign(claims), now), "aud must name chat");
    claims.put("aud", List.of("shop", "mail"));
    assertRefused(reader.judge(HS.sign(claims), now), "aud must name chat");
    for (Object audience : List.of("chat", List.of("shop", "chat"))) {
      claims.put("aud", audience);
      assertThat(known(reader.judge(HS.sign(claims), now)).subject()).isEqualTo("17");
    }
  }

  @Test
  void tokenMayAllowReadingAndModerating() {
    Map<String, Object> claims = new HashMap<>(Issuer.claims("17", HOUR, "5"));
    claims.put("read", List.of("news-*"));
    claims.put("moderate", List.of("5"));
    Identity identity = known(reader(HS).judge(HS.sign(claims), System.currentTimeMillis()));
    RoomId news = new RoomId("news-1");
    assertThat(identity.refusalOf(news)).isNull();
    assertThat(identity.refusalToSpeakIn(news)).contains("only reading in room news-1");
    assertThat(identity.moderates(news)).isFalse();
    assertThat(identity.refusalToSpeakIn(new RoomId("5"))).isNull();
    assertThat(identity.moderates(new RoomId("5"))).isTrue();
    assertThat(identity.refusalOf(new RoomId("6"))).isNotNull();

    claims.put("moderate", List.of("all rooms"));
    assertRefused(
        reader(HS).judge(HS.sign(claims), System.currentTimeMillis()), "moderate must be room ids");
  }

  @Test
  void claimsMayHaveOtherNames() {
    ClaimNames names = ClaimNames.of("sub=oid, rooms=chat_rooms,name=preferred_username");
    TokenReader reader = reader(RequiredClaims.NONE, names, HS);
    Map<String, Object> claims = new HashMap<>(Issuer.claims("not used", HOUR, "5"));
    long now = System.currentTimeMillis();
    assertRefused(reader.judge(HS.sign(claims), now), "the token has no oid");
    claims.put("oid", "17");
    claims.put("chat_rooms", List.of("6"));
    claims.put("preferred_username", "ann");
    Identity identity = known(reader.judge(HS.sign(claims), now));
    assertThat(identity.subject()).isEqualTo("17");
    assertThat(identity.name()).isEqualTo("ann");
    assertThat(identity.refusalOf(new RoomId("6"))).isNull();
    assertThat(identity.refusalOf(new RoomId("5"))).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"sub", "sub=", "exp=until", "sub=a=b", "sub=a;name=b"})
  void otherNamesHaveOneForm(String wrong) {
    assertThatThrownBy(() -> ClaimNames.of(wrong)).hasMessageContaining("sub=oid");
  }

  @Test
  void fractionsOfASecondAreKept() {
    Map<String, Object> claims = new HashMap<>(Issuer.claims("17", HOUR, "5"));
    long now = System.currentTimeMillis() / 1_000 * 1_000;
    claims.put("exp", now / 1_000.0 + 0.5);
    Identity identity = known(reader(HS).judge(HS.sign(claims), now));
    assertThat(identity.expiresMillis()).isEqualTo(now + 500 + TokenReader.LEEWAY.toMillis());
  }

  @Test
  void numberBelowZeroHasExpired() {
    Map<String, Object> claims = new HashMap<>(Issuer.claims("17", HOUR, "5"));
    claims.put("exp", Long.MIN_VALUE);
    assertRefused(judge(HS, HS.sign(claims)), "expired");
  }

  @Test
  void clocksMayDifferByTheLeewayAndNoMore() {
    long now = System.currentTimeMillis() / 1_000 * 1_000;
    long leeway = TokenReader.LEEWAY.toMillis();
    Map<String, Object> claims = Issuer.claims("17", HOUR, "5");
    claims.put("exp", Date.from(Instant.ofEpochMilli(now)));
    String expiring = HS.sign(claims);
    Identity identity = known(reader(HS).judge(expiring, now + leeway - 1));
    assertThat(identity.isExpiredAt(now + leeway - 1)).isFalse();
    assertThat(identity.isExpiredAt(now + leeway)).isTrue();
    assertRefused(reader(HS).judge(expiring, now + leeway), "expired");
    claims.put("exp", Date.from(Instant.ofEpochMilli(now + HOUR.toMillis())));
    claims.put("nbf", Date.from(Instant.ofEpochMilli(now)));
    String coming = HS.sign(claims);
    known(reader(HS).judge(coming, now - leeway));
    assertRefused(reader(HS).judge(coming, now - leeway - 1), "not valid yet");
  }

  @Test
  void longTokenIsNotLookedAt() {
    String[] many = new String[3_000];
    Arrays.fill(many, "5");
    assertRefused(judge(HS, HS.token("17", HOUR, many)), "longer than 6144 characters");
  }

  static LongStream seeds() {
    return new Random(19).longs(300);
  }

  /** Bytes changed, cut, doubled or moved, in the text or in its content, never give access. */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void spoiledTokenIsRefusedAndNothingIsThrown(long seed) {
    Random random = new Random(seed);
    Issuer issuer = issuers().get(random.nextInt(3));
    String good = issuer.token("17", HOUR, "5");
    TokenReader reader = reader(HS, RS, ES);
    for (int i = 0; i < 40; i++) {
      String spoiled = random.nextBoolean() ? spoilt(good, random) : spoiltWithin(good, random);
      TokenVerdict verdict = reader.judge(spoiled, System.currentTimeMillis());
      // The last character of a signature has unused bits.
      boolean same = spoiled.startsWith(good.substring(0, good.lastIndexOf('.') + 1));
      if (!same) {
        assertThat(verdict).as(spoiled).isInstanceOf(TokenVerdict.Unknown.class);
      } else if (verdict instanceof TokenVerdict.Known(Identity identity)) {
        assertThat(identity.isOf("17")).isTrue();
      }
    }
  }

  private static String spoilt(String text, Random random) {
    int at = random.nextInt(text.length());
    int end = Math.min(text.length(), at + 1 + random.nextInt(20));
    return switch (random.nextInt(5)) {
      case 0 -> text.substring(0, at) + (char) random.nextInt(0x20, 0x7f) + text.substring(at + 1);
      case 1 -> text.substring(0, at);
      case 2 -> text.substring(0, at) + text.substring(end);
      case 3 -> text.substring(0, end) + text.substring(at);
      default -> text.substring(at) + text.substring(0, at);
    };
  }

  /** Changes the content of a part, which stays well-formed base64. */
  private static String spoiltWithin(String token, Random random) {
    String[] parts = token.split("[.]", -1);
    int part = random.nextInt(3);
    String inside =
        new String(Base64.getUrlDecoder().decode(parts[part]), StandardCharsets.ISO_8859_1);
    String changed =
        switch (random.nextInt(4)) {
          case 0 -> "[".repeat(1 + random.nextInt(2_000)) + inside;
          case 1 -> inside.replace("256", "512");
          case 2 -> inside.replace("17", "*");
          default -> spoilt(inside, random);
        };
    parts[part] = base64(changed.equals(inside) ? inside + " " : changed);
    return String.join(".", parts);
  }

  private static String base64(String text) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(text.getBytes(StandardCharsets.ISO_8859_1));
  }
}
