package dev.chatflow.chat;

import com.google.gson.JsonObject;
import dev.chatflow.chat.link.Frames;
import dev.chatflow.chat.link.Tokens;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A person or program in a room.
 *
 * @param id who it is
 * @param name what it is called
 */
public record User(String id, String name) {

  public User {
    Objects.requireNonNull(id, "the user's id is null: pass an id and a name");
    Objects.requireNonNull(name, "the user's name is null: pass an id and a name");
  }

  private static final int SHORTEST = 3;
  private static final int LONGEST = 20;

  /** Who a token is for. */
  static User ofToken(@Nullable String token) {
    JsonObject claims = token == null ? new JsonObject() : Tokens.claims(token);
    String id = Frames.text(claims, "sub");
    String name = Frames.text(claims, "name");
    if (id.isEmpty() || id.equals("*")) {
      throw new IllegalArgumentException("the token names no user: say in the options who it is");
    }
    return new User(id, name.isEmpty() ? nameFrom(id) : name);
  }

  /** A username for a token that has none: its subject, as far as that can be one. */
  private static String nameFrom(String subject) {
    String name = subject.replaceAll("[^A-Za-z0-9_-]", "_");
    String usable = name.length() < SHORTEST ? "user" + name : name;
    return usable.substring(0, Math.min(usable.length(), LONGEST));
  }
}
