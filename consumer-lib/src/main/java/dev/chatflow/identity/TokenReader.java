package dev.chatflow.identity;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jwt.SignedJWT;
import dev.chatflow.message.Rule;
import java.text.ParseException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Verifies signed tokens (JWT): first the signature, then the claims. Thread-safe; has no clock.
 */
final class TokenReader {

  /** Maximum difference between the clocks of signer and reader. */
  static final Duration LEEWAY = Duration.ofSeconds(30);

  /** The longest token that fits in a request header. */
  static final int MAX_LENGTH = 6_144;

  private static final TokenVerdict MISSING =
      unknown("a token is required: send it as Authorization: Bearer, or as a subprotocol");
  private static final TokenVerdict WRONG =
      unknown("the token is not signed with a key of this server");
  private static final TokenVerdict NO_TOKEN =
      unknown("the token is not a signed JSON Web Token (JWT)");
  private static final TokenVerdict TOO_LONG =
      unknown("the token is longer than " + MAX_LENGTH + " characters: give it fewer rooms");
  private static final TokenVerdict EXPIRED =
      new TokenVerdict.Unknown("the token has expired: reconnect with a new one", true);

  /** Three parts in base64url; any other text is rejected at once. */
  private static final Pattern FORM =
      Pattern.compile("[A-Za-z0-9_-]+[.][A-Za-z0-9_-]+[.][A-Za-z0-9_-]+");

  private final Supplier<List<TokenKey>> keys;
  private final RequiredClaims required;
  private final ClaimNames names;

  /**
   * @param keys called for each token
   */
  TokenReader(Supplier<List<TokenKey>> keys, RequiredClaims required, ClaimNames names) {
    this.keys = keys;
    this.required = required;
    this.names = names;
  }

  /**
   * Verifies a token.
   *
   * @param token as received; null if there was none
   * @param nowMillis the wall clock
   */
  TokenVerdict judge(@Nullable String token, long nowMillis) {
    if (token == null) {
      return MISSING;
    }
    if (token.length() > MAX_LENGTH) {
      return TOO_LONG;
    }
    if (!FORM.matcher(token).matches()) {
      return NO_TOKEN;
    }
    try {
      return judge(SignedJWT.parse(token), nowMillis);
    } catch (ParseException | IllegalArgumentException _) {
      return NO_TOKEN;
    }
  }

  private TokenVerdict judge(SignedJWT token, long nowMillis) {
    JWSAlgorithm algorithm = token.getHeader().getAlgorithm();
    if (!TokenKey.ALGORITHMS.contains(algorithm)) {
      return unknown(
          "the token is signed with %s: RS256, ES256 and HS256 are accepted"
              .formatted(SafeText.text(algorithm.getName())));
    }
    for (TokenKey key : keys.get()) {
      if (key.signed(token)) {
        return judge(token.getPayload().toJSONObject(), key, nowMillis);
      }
    }
    return WRONG;
  }

  private TokenVerdict judge(@Nullable Map<String, Object> claims, TokenKey key, long nowMillis) {
    try {
      return claims == null ? NO_TOKEN : judge(new Claims(claims), key, nowMillis);
    } catch (IllegalArgumentException e) {
      return unknown(String.valueOf(e.getMessage()));
    }
  }

  private TokenVerdict judge(Claims claims, TokenKey key, long nowMillis) {
    String foreign = required.refusal(claims);
    if (foreign != null) {
      return unknown(foreign);
    }
    String user = names.inToken(ClaimNames.USER);
    String subject = claims.neededText(user);
    if (!subject.equals(Identity.SERVICE) && !Rule.USER_ID.allows().test(subject)) {
      return unknown("the token's " + user + " " + Rule.USER_ID.text() + ", or be *");
    }
    Identity identity =
        new Identity(
            subject,
            claims.text(names.inToken(ClaimNames.NAME)),
            rooms(claims, ClaimNames.ROOMS),
            rooms(claims, ClaimNames.READ),
            rooms(claims, ClaimNames.MODERATE),
            claims.neededMillis("exp", nowMillis) + LEEWAY.toMillis(),
            key.print());
    if (identity.isExpiredAt(nowMillis)) {
      return EXPIRED;
    }
    Long notBefore = claims.millis("nbf", nowMillis);
    return notBefore != null && nowMillis + LEEWAY.toMillis() < notBefore
        ? unknown("the token is not valid yet: its nbf is in the future")
        : new TokenVerdict.Known(identity);
  }

  /** Returns the rooms that a claim lists: {@code rooms} is required, the others are not. */
  private RoomGrants rooms(Claims claims, String claim) {
    String name = names.inToken(claim);
    boolean isRequired = claim.equals(ClaimNames.ROOMS);
    return isRequired || claims.has(name)
        ? RoomGrants.of(name, claims.neededTexts(name))
        : RoomGrants.NONE;
  }

  /** Returns the verdict on a token that was valid before: only time and keys can have changed. */
  TokenVerdict judgeAgain(Identity known, long nowMillis) {
    if (keys.get().stream().noneMatch(key -> key.print().equals(known.signedBy()))) {
      return WRONG;
    }
    return known.isExpiredAt(nowMillis) ? EXPIRED : new TokenVerdict.Known(known);
  }

  private static TokenVerdict unknown(String why) {
    return new TokenVerdict.Unknown(why, false);
  }
}
