package dev.chatflow.message;

import dev.chatflow.message.JsonValue.Kind;
import dev.chatflow.room.FrameName;
import dev.chatflow.room.Past;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Validates the fields of one object: returns valid values and collects errors.
 *
 * <p>One thread. An invalid or missing field is returned as empty, 0 or null, so check {@link
 * #errors} before using a value.
 */
public final class FieldChecks {

  /** The rule for names of frames, for people. */
  static final String FRAME_NAME =
      "must hold messageType, userId, messageId and serverTimestamp of a TEXT, JOIN or LEAVE of this room";

  private final Map<Field, JsonValue> fields;
  private final SortedMap<String, String> errors = new TreeMap<>(Field.ORDER);

  public FieldChecks(Map<Field, JsonValue> fields) {
    this.fields = fields;
  }

  /** Returns the reasons by field, in the order of {@link Field#ORDER}. */
  public SortedMap<String, String> errors() {
    return errors;
  }

  /**
   * Returns the client's message; null if any field is invalid.
   *
   * @param rules what is accepted
   */
  public @Nullable ClientMessage clientMessage(@Nullable String messageId, ClientRules rules) {
    MessageType type = type();
    String userId = userId(rules.userIds());
    String username = required(Field.USERNAME, Rule.USERNAME);
    if (type == MessageType.SIGNAL && !has(Field.KIND)) {
      errors.put(Field.KIND.wireName(), "is missing: " + Rule.KIND.text());
    }
    Extras extras = type == null ? Extras.NONE : extras(type, userId, rules);
    String message = type == MessageType.TEXT ? text(rules) : remark();
    String timestamp = required(Field.TIMESTAMP, Rule.TIMESTAMP);
    JoinRequest request = type == MessageType.JOIN ? request() : JoinRequest.NONE;
    return type == null || !errors.isEmpty()
        ? null
        : new ClientMessage(type, userId, username, message, timestamp, messageId, extras, request);
  }

  private Extras extras(MessageType type, String userId, ClientRules rules) {
    return switch (type) {
      case TEXT, SIGNAL -> extrasOfText(userId, rules);
      case JOIN -> extrasOf(null, null, data());
      case LEAVE -> Extras.NONE;
    };
  }

  /** Returns the optional fields of a TEXT or SIGNAL; none if a field is invalid. */
  private Extras extrasOfText(String userId, ClientRules rules) {
    String kind = optional(Field.KIND, Rule.KIND);
    Extras.Ref ref = ref(userId, TextKind.of(kind), rules);
    if (TextKind.of(kind) == TextKind.MUTE && !rules.areOfLines()) {
      errors.put(Field.KIND.wireName(), "must not be mute: a moderator mutes users over HTTP");
    }
    if (ref != null && !has(Field.KIND)) {
      errors.put(Field.KIND.wireName(), "is missing: a ref needs a kind, such as reply");
    }
    String data = data();
    if (TextKind.of(kind) == TextKind.MUTE && MuteData.untilMillis(data) == Rfc3339.NONE) {
      errors.put(Field.DATA.wireName(), Rule.MUTE);
    }
    return extrasOf(kind, ref, data);
  }

  private Extras extrasOf(@Nullable String kind, Extras.@Nullable Ref ref, @Nullable String data) {
    boolean isPlain = kind == null && ref == null && data == null;
    return isPlain || !errors.isEmpty() ? Extras.NONE : new Extras(kind, ref, data);
  }

  /** A message without {@code refUserId} names one of its own user. */
  private Extras.@Nullable Ref ref(String userId, TextKind kind, ClientRules rules) {
    String messageId =
        kind.namesMessage()
            ? required(Field.REF, Rule.MESSAGE_ID)
            : optional(Field.REF, Rule.MESSAGE_ID);
    String author = has(Field.REF_USER_ID) ? userId(Field.REF_USER_ID, UserIds.STRING) : userId;
    if (has(Field.REF_USER_ID) && !has(Field.REF)) {
      errors.put(Field.REF_USER_ID.wireName(), "must be absent without ref");
    } else if (kind.changesMessage() && !author.equals(userId) && !rules.moderates()) {
      errors.put(
          Field.REF_USER_ID.wireName(),
          "must be your own: only the author or a moderator changes a message");
    }
    return messageId == null ? null : new Extras.Ref(author, messageId);
  }

  private @Nullable String data() {
    JsonValue data = fields.get(Field.DATA);
    if (data == null) {
      return null;
    }
    if (data.kind() != Kind.OBJECT || !Extras.isData(data.text())) {
      errors.put(Field.DATA.wireName(), Rule.DATA);
    }
    return data.text();
  }

  private JoinRequest request() {
    String device = optional(Field.DEVICE, Rule.DEVICE);
    return new JoinRequest(device == null ? "" : device, past(), members());
  }

  private Past past() {
    JsonValue after = fields.get(Field.AFTER);
    FrameName name = after == null ? null : frameName(after.fields());
    if (after != null && name == null) {
      errors.put(Field.AFTER.wireName(), FRAME_NAME);
    }
    return new Past(name, upTo(Field.HISTORY, Past.MAX_HISTORY, 0));
  }

  /** Returns the name of a broadcast; null if one of its four fields is missing or invalid. */
  static @Nullable FrameName frameName(Map<Field, JsonValue> fields) {
    FieldChecks checks = new FieldChecks(fields);
    MessageType type = checks.type();
    String userId = checks.userId(UserIds.STRING);
    String messageId = checks.required(Field.MESSAGE_ID, Rule.MESSAGE_ID);
    String time = checks.required(Field.SERVER_TIMESTAMP, Rule.SERVER_TIMESTAMP);
    return type == null || !type.isKept() || !checks.errors.isEmpty()
        ? null
        : new FrameName(type.name(), userId, messageId, time, Rfc3339.millis(time));
  }

  private int members() {
    return upTo(Field.MEMBERS, MembersFrame.MAX_NAMES, MembersFrame.NOT_ASKED);
  }

  /**
   * Returns an integer from 0 to {@code most}, or {@code otherwise} if it is missing or invalid.
   */
  private int upTo(Field field, int most, int otherwise) {
    JsonValue value = fields.get(field);
    if (value == null) {
      return otherwise;
    }
    boolean right =
        value.kind() == Kind.NUMBER
            && value.text().matches("0|[1-9][0-9]{0,2}")
            && Integer.parseInt(value.text()) <= most;
    if (!right) {
      errors.put(field.wireName(), "must be an integer from 0 to " + most);
    }
    return right ? Integer.parseInt(value.text()) : otherwise;
  }

  private @Nullable MessageType type() {
    String name = required(Field.MESSAGE_TYPE, Rule.TYPE);
    return name.isEmpty() ? null : MessageType.valueOf(name);
  }

  /**
   * Reads the one field that may be a string or a number: a number is the id with the same digits.
   */
  private String userId(UserIds allowed) {
    return userId(Field.USER_ID, allowed);
  }

  private String userId(Field field, UserIds allowed) {
    JsonValue value = fields.get(field);
    if (value != null && value.kind() == Kind.NUMBER) {
      boolean digits = value.text().chars().allMatch(c -> c >= '0' && c <= '9');
      value = new JsonValue(Kind.STRING, digits ? value.text() : "");
    }
    return checked(field, value, allowed.rule());
  }

  private String text(ClientRules rules) {
    JsonValue kind = fields.get(Field.KIND);
    boolean mayBeEmpty = TextKind.of(kind == null ? null : kind.text()).mayBeEmpty(has(Field.DATA));
    return required(Field.MESSAGE, mayBeEmpty ? rules.textOrNone() : rules.text());
  }

  /** Reads the text of any other type, or of an unknown one. */
  private String remark() {
    String message = optional(Field.MESSAGE, Rule.REMARK);
    return message == null ? "" : message;
  }

  public String required(Field field, Rule rule) {
    return checked(field, fields.get(field), rule);
  }

  /** Returns null if the field is absent or invalid. */
  public @Nullable String optional(Field field, Rule rule) {
    JsonValue value = fields.get(field);
    if (value == null) {
      return null;
    }
    String text = checked(field, value, rule);
    return errors.containsKey(field.wireName()) ? null : text;
  }

  /** Returns a positive integer of at most this many digits; 0 if it is absent or invalid. */
  public long wholeNumber(Field field, int maxDigits) {
    JsonValue value = fields.get(field);
    if (value == null) {
      return 0;
    }
    boolean right =
        value.kind() == Kind.NUMBER
            && value.text().matches("[1-9][0-9]{0," + (maxDigits - 1) + "}");
    if (!right) {
      errors.put(field.wireName(), "must be a whole number of at most " + maxDigits + " digits");
    }
    return right ? Long.parseLong(value.text()) : 0;
  }

  /** Requires a literal such as {@code 200} or {@code true}. */
  public void literal(Field field, JsonValue only) {
    if (!only.equals(fields.get(field))) {
      errors.put(field.wireName(), "must be " + only.text());
    }
  }

  public boolean has(Field field) {
    return fields.containsKey(field);
  }

  private String checked(Field field, @Nullable JsonValue value, Rule rule) {
    if (value == null) {
      errors.put(field.wireName(), "is missing: " + rule.text());
    } else if (!value.isString()) {
      errors.put(field.wireName(), rule.text() + ", not be " + value.kind().title());
    } else if (!rule.allows().test(value.text())) {
      errors.put(field.wireName(), rule.text());
    } else {
      return value.text();
    }
    return "";
  }
}
