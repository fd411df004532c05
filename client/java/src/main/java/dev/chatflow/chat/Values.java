package dev.chatflow.chat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.chatflow.chat.link.Frames;
import dev.chatflow.chat.link.Tokens;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The implementations of the public interfaces. They are hidden, so that the interfaces can grow.
 */
final class Values {

  private static final DateTimeFormatter MILLIS =
      new DateTimeFormatterBuilder().appendInstant(3).toFormatter();

  record MessageValue(
      User user,
      String text,
      String id,
      Instant at,
      boolean own,
      boolean past,
      boolean late,
      Extras extras,
      String device)
      implements Message {

    @Override
    public String position() {
      return nameOf(this).toString();
    }
  }

  record SignalValue(User user, String text, Instant at, boolean own, Extras extras, String device)
      implements Signal {

    @Override
    public String kind() {
      return Objects.requireNonNullElse(extras.kind(), "");
    }
  }

  record ExtrasValue(@Nullable String kind, @Nullable Ref ref, @Nullable String data)
      implements Extras {

    @Override
    public Extras naming(String kind, Message message) {
      return new ExtrasValue(kind, new RefValue(message.user().id(), message.id()), data);
    }

    @Override
    public Extras withData(String json) {
      return new ExtrasValue(kind, ref, json);
    }
  }

  record RefValue(String userId, String id) implements Extras.Ref {}

  record UserValue(String id, String name) implements User {}

  record MemberValue(String id, String name, @Nullable String data) implements Member {}

  record ReceiptValue(String id, Instant at) implements Receipt {}

  record GapValue(Instant since, @Nullable Message until) implements Room.Gap {}

  record PeopleValue(int count, boolean complete, Map<String, Member> names) implements People {}

  record ChangeValue(List<Member> joined, List<User> left, int count) implements People.Change {}

  record ConnectingState() implements State.Connecting {}

  record JoiningState() implements State.Joining {}

  record HereState(String server) implements State.Here {}

  record WaitingState(String why, Instant until) implements State.Waiting {}

  record StoppedState(String why, Code code, int closeCode) implements State.Stopped {}

  record LeftState() implements State.Left {}

  private Values() {}

  static User userOf(JsonObject frame) {
    return new UserValue(Frames.text(frame, Frames.USER), Frames.text(frame, "username"));
  }

  /** Returns a member of a JOIN or of a list. */
  static Member memberOf(JsonObject frame) {
    User user = userOf(frame);
    return new MemberValue(user.id(), user.name(), dataOf(frame));
  }

  private static @Nullable String dataOf(JsonObject frame) {
    JsonElement data = frame.get("data");
    return data == null ? null : data.toString();
  }

  /** Returns the user that a token names. */
  static User userOfToken(@Nullable String token) {
    JsonObject claims = token == null ? new JsonObject() : Tokens.claims(token);
    String id = Frames.text(claims, "sub");
    String name = Frames.text(claims, "name");
    if (id.isEmpty() || id.equals("*")) {
      throw new IllegalArgumentException("the token names no user: set the user in the options");
    }
    return new UserValue(id, name.isEmpty() ? id : name);
  }

  /** Returns the four fields by which a server finds the frame of a message. */
  static JsonObject nameOf(Message message) {
    JsonObject name = new JsonObject();
    name.addProperty(Frames.TYPE, "TEXT");
    name.addProperty(Frames.USER, message.user().id());
    name.addProperty(Frames.ID, message.id());
    name.addProperty(Frames.TIME, MILLIS.format(message.at()));
    return name;
  }

  static Extras extrasOf(JsonObject broadcast) {
    return new ExtrasValue(
        broadcast.has("kind") ? Frames.text(broadcast, "kind") : null,
        broadcast.has("ref")
            ? new RefValue(Frames.text(broadcast, "refUserId"), Frames.text(broadcast, "ref"))
            : null,
        dataOf(broadcast));
  }

  /** Adds the optional parts to a frame. */
  static void add(Extras extras, JsonObject frame) {
    if (extras.kind() != null) {
      frame.addProperty("kind", extras.kind());
    }
    if (extras.ref() != null) {
      frame.addProperty("ref", extras.ref().id());
      frame.addProperty("refUserId", extras.ref().userId());
    }
    if (extras.data() != null) {
      frame.add("data", JsonParser.parseString(extras.data()));
    }
  }
}
