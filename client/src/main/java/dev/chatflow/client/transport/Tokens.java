package dev.chatflow.client.transport;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.time.Duration;
import java.time.Instant;

/**
 * Creates tokens for users and services. Immutable; any thread.
 *
 * @param life validity of a token; negative for an expired one
 */
public record Tokens(TokenKey key, Duration life) {
  /** The subject of a token for every user, and the name of every room. */
  public static final String SERVICE = "*";

  /**
   * Returns a token that is valid from now on.
   *
   * @param user its subject
   * @param name the only allowed user name; empty for any
   * @param room the allowed room; {@link #SERVICE} for every room
   */
  public String of(String user, String name, String room) {
    return of(user, name, room, false);
  }

  /**
   * Returns a token that is valid from now on.
   *
   * @param moderates whether it also allows moderating its room
   */
  public String of(String user, String name, String room, boolean moderates) {
    JsonObject claims = new JsonObject();
    claims.addProperty("sub", user);
    if (!name.isEmpty()) {
      claims.addProperty("name", name);
    }
    JsonArray rooms = new JsonArray();
    rooms.add(room);
    claims.add("rooms", rooms);
    if (moderates) {
      claims.add("moderate", rooms);
    }
    claims.addProperty("exp", Instant.now().plus(life).getEpochSecond());
    return key.sign(claims.toString());
  }

  /** Returns the header line with a token. */
  public static String header(String token) {
    return "Authorization: Bearer " + token + "\r\n";
  }
}
