package dev.chatflow.message;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The fields of client frames, broker lines and answers, with their names. */
public enum Field {
  MESSAGE_TYPE("messageType"),
  ROOM_ID("roomId"),
  USER_ID("userId"),
  USERNAME("username"),
  MESSAGE("message"),
  TIMESTAMP("timestamp"),
  MESSAGE_ID("messageId"),
  SERVER_TIMESTAMP("serverTimestamp"),
  SERVER_ID("serverId"),
  STATUS("status"),
  KIND("kind"),
  REF("ref"),
  REF_USER_ID("refUserId"),
  DATA("data"),
  DEVICE("device"),
  SYNTHETIC("synthetic"),
  QUIET("quiet"),
  SESSION("session"),
  CLIENT_IP("clientIp"),
  STAMP("stamp"),
  AFTER("after"),
  HISTORY("history"),
  MEMBERS("members");

  /** Known names in the order of frames, then others by name: the order of reported errors. */
  public static final Comparator<String> ORDER =
      Comparator.comparingInt(Field::position).thenComparing(Comparator.naturalOrder());

  private static final List<String> NAMES = Arrays.stream(values()).map(Field::wireName).toList();

  private static final Map<String, Field> BY_NAME =
      Arrays.stream(values()).collect(Collectors.toMap(Field::wireName, Function.identity()));

  private final String wireName;

  Field(String wireName) {
    this.wireName = wireName;
  }

  public String wireName() {
    return wireName;
  }

  /** Returns the name as written before its value: quoted, with the colon. */
  public String key() {
    return '"' + wireName + "\":";
  }

  /** Returns the field with that name, or null. */
  static @Nullable Field named(String wireName) {
    return BY_NAME.get(wireName);
  }

  private static int position(String name) {
    int position = NAMES.indexOf(name);
    return position < 0 ? NAMES.size() : position;
  }
}
