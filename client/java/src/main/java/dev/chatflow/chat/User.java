package dev.chatflow.chat;

import com.google.gson.JsonObject;
import dev.chatflow.chat.link.Frames;
import dev.chatflow.chat.link.Tokens;
import org.jspecify.annotations.Nullable;

/**
 * A person or program in a room.
 *
 * @param id who it is
 * @param name what it is called
 */
public record User(String id, String name) {

  /** Who a token is for. */
  static User ofToken(@Nullable String token) {
    JsonObject claims = token == null ? new JsonObject() : Tokens.claims(token);
    String id = Frames.text(claims, "sub");
    String name = Frames.text(claims, "name");
    if (id.isEmpty() || id.equals("*")) {
      throw new IllegalArgumentException("the token names no user: say in the options who it is");
    }
    return new User(id, name.isEmpty() ? id : name);
  }
}
