package dev.chatflow.client.transport;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.time.Duration;
import java.time.Instant;

/**
 * Makes the tokens of users and services. Immutable; any thread.
 *
 * @param life how long a token is good; negative: since when it is not any more
 */
public record Tokens(TokenKey key, Duration life) {
  /** Whose token stands for every user in every room. */
  public static final String SERVICE = "*";

  /**
   * A token that is good from now on.
   *
   * @param user its subject
   * @param name the only name that the user may have; empty: any
   * @param room the room it is for; {@link #SERVICE}: every room
   */
  public String of(String user, String name, String room) {
    JsonObject claims = new JsonObject();
    claims.addProperty("sub", user);
    if (!name.isEmpty()) {
      claims.addProperty("name", name);
    }
    JsonArray rooms = new JsonArray();
    rooms.add(room);
    claims.add("rooms", rooms);
    claims.addProperty("exp", Instant.now().plus(life).getEpochSecond());
    return key.sign(claims.toString());
  }

  /** The line of a request that carries a token. */
  public static String header(String token) {
    return "Authorization: Bearer " + token + "\r\n";
  }
}
