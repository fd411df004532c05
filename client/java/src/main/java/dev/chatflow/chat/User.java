package dev.chatflow.chat;

import com.google.gson.JsonObject;
import dev.chatflow.chat.link.Frames;
import dev.chatflow.chat.link.Tokens;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A person or program in a room.
 *
 * @param id the user id
 * @param name the display name
 */
public record User(String id, String name) {

  public User {
    Objects.requireNonNull(id, "the user's id is null: pass an id and a name");
    Objects.requireNonNull(name, "the user's name is null: pass an id and a name");
  }

  /** Returns the user that a token names. */
  static User ofToken(@Nullable String token) {
    JsonObject claims = token == null ? new JsonObject() : Tokens.claims(token);
    String id = Frames.text(claims, "sub");
    String name = Frames.text(claims, "name");
    if (id.isEmpty() || id.equals("*")) {
      throw new IllegalArgumentException("the token names no user: set the user in the options");
    }
    return new User(id, name.isEmpty() ? id : name);
  }
}
