package dev.chatflow.identity;

import org.jspecify.annotations.Nullable;

/**
 * The issuer and audience that a token must name. An identity provider signs the tokens of all its
 * applications with the same keys, so a valid signature does not show that a token is meant for
 * this chat.
 *
 * @param issuer the value of {@code iss}; empty for any
 * @param audience a value of {@code aud}; empty for any
 */
record RequiredClaims(String issuer, String audience) {

  static final RequiredClaims NONE = new RequiredClaims("", "");

  /** Returns why the token is not for this chat, or null. */
  @Nullable String refusal(Claims claims) {
    if (!issuer.isEmpty() && !issuer.equals(claims.text("iss"))) {
      return "the token's iss must be " + issuer;
    }
    return audience.isEmpty() || claims.textOrTexts("aud").contains(audience)
        ? null
        : "the token's aud must name " + audience;
  }
}
