package dev.chatflow.identity;

import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.chatflow.message.Rule;
import java.text.ParseException;
import java.time.Duration;
import java.util.Date;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Judges signed tokens (JWT): first whether one of the keys has signed it, then what it says. Any
 * thread; no clock of its own.
 */
final class TokenReader {

  /** By so much the clocks of who signs and who reads may differ. */
  static final Duration LEEWAY = Duration.ofSeconds(30);

  /** Whoever lets a request head through to us lets no more of it through. */
  static final int MAX_LENGTH = 6_144;

  private static final Verdict MISSING =
      new Verdict.Unknown("a token is needed: Authorization: Bearer, or a subprotocol", false);
  private static final Verdict WRONG =
      new Verdict.Unknown("the token is not one that this server's keys have signed", false);
  private static final Verdict EXPIRED =
      new Verdict.Unknown("the token has expired: come back with a new one", true);

  /** Three parts in base64url: nothing else is worth a look. */
  private static final Pattern FORM =
      Pattern.compile("[A-Za-z0-9_-]+[.][A-Za-z0-9_-]+[.][A-Za-z0-9_-]+");

  private final Supplier<List<TokenKey>> keys;

  /**
   * @param keys asked for each token
   */
  TokenReader(Supplier<List<TokenKey>> keys) {
    this.keys = keys;
  }

  /**
   * Judges a token.
   *
   * @param token as it came; null when none did
   * @param nowMillis the wall clock
   */
  Verdict judge(@Nullable String token, long nowMillis) {
    if (token == null) {
      return MISSING;
    }
    if (token.length() > MAX_LENGTH || !FORM.matcher(token).matches()) {
      return WRONG;
    }
    try {
      SignedJWT signed = SignedJWT.parse(token);
      for (TokenKey key : keys.get()) {
        if (key.signed(signed)) {
          return judge(signed.getJWTClaimsSet(), key, nowMillis);
        }
      }
      return WRONG;
    } catch (ParseException | IllegalArgumentException _) {
      return WRONG;
    }
  }

  private static Verdict judge(JWTClaimsSet claims, TokenKey key, long nowMillis)
      throws ParseException {
    String subject = claims.getSubject();
    List<String> rooms = claims.getStringListClaim("rooms");
    Date expires = claims.getExpirationTime();
    Date notBefore = claims.getNotBeforeTime();
    if (subject == null || rooms == null || expires == null) {
      return new Verdict.Unknown("the token lacks one of sub, rooms and exp", false);
    }
    if (!subject.equals(Identity.SERVICE) && !Rule.USER_ID.allows().test(subject)) {
      return new Verdict.Unknown("the token's sub " + Rule.USER_ID.text() + ", or be *", false);
    }
    Identity identity =
        new Identity(
            subject,
            claims.getStringClaim("name"),
            grants(rooms),
            saturated(expires.toInstant().toEpochMilli(), LEEWAY.toMillis()),
            key.print());
    if (identity.isExpiredAt(nowMillis)) {
      return EXPIRED;
    }
    if (notBefore != null
        && saturated(nowMillis, LEEWAY.toMillis()) < notBefore.toInstant().toEpochMilli()) {
      return new Verdict.Unknown("the token is not valid yet", false);
    }
    return new Verdict.Known(identity);
  }

  private static RoomGrants grants(List<String> rooms) throws ParseException {
    try {
      return RoomGrants.of(rooms);
    } catch (IllegalArgumentException | NullPointerException e) {
      throw new ParseException(String.valueOf(e.getMessage()), 0);
    }
  }

  private static long saturated(long millis, long more) {
    return millis > Long.MAX_VALUE - more ? Long.MAX_VALUE : millis + more;
  }
}
