package dev.chatflow.message;

import dev.chatflow.room.RoomId;
import java.util.List;
import java.util.Random;

/** Accepted messages of every kind, with texts that are difficult to write. */
public final class RandomMessages {

  private static final int[] AWKWARD = {
    0, 1, '\b', '\t', '\n', 0xB, '\f', '\r', 0x1F, ' ', '"', '/', '\\', 0x7F, 0x80, 0x7FF, 0x800,
    0x2028, 0xD7FF, 0xE000, 0xFEFF, 0xFFFF, 0x10000, 0x1F600, 0x10FFFF, '<', '&', '\'', '='
  };
  private static final List<MessageType> TYPES = List.of(MessageType.values());
  private static final List<String> DATA =
      List.of(
          "{}",
          "{\"a\":[1.5e3,true,null,\"},\\\"{\"],\"b\":{\"grüße\":\"😀\\u0000\"}}",
          "{\"session\":\"x\",\"data\":{\"data\":{}}}");
  private static final String WORD = "abcXYZ019_-";

  private RandomMessages() {}

  public static ChatMessage next(Random random) {
    MessageType type = TYPES.get(random.nextInt(TYPES.size()));
    String userId = userId(random);
    ClientMessage content =
        new ClientMessage(
            type,
            userId,
            random.nextBoolean() ? word(random, 3 + random.nextInt(62)) : name(random),
            text(random, type == MessageType.TEXT ? 1 : 0),
            random.nextBoolean() ? "2024-02-29T23:59:59.9-08:30" : "2026-11-20T18:46:00Z",
            word(random, 1 + random.nextInt(64)),
            extras(type, random, userId));
    return new ChatMessage(
        content,
        new RoomId(word(random, 1 + random.nextInt(64))),
        random.nextLong(Rfc3339.MAX_MILLIS + 1),
        origin(random),
        type == MessageType.LEAVE && random.nextBoolean());
  }

  private static Extras extras(MessageType type, Random random, String userId) {
    String data = random.nextInt(3) == 0 ? DATA.get(random.nextInt(DATA.size())) : null;
    Extras.Ref own = new Extras.Ref(userId, word(random, 1 + random.nextInt(64)));
    if (type.changesMembership()) {
      return type == MessageType.JOIN ? new Extras(null, null, data) : Extras.NONE;
    }
    return switch (random.nextInt(6)) {
      case 0 -> new Extras("edit", own, data);
      case 1 -> new Extras("reply", new Extras.Ref(userId(random), "m.1"), data);
      case 2 -> new Extras(word(random, 1 + random.nextInt(32)), null, data);
      default -> new Extras(type == MessageType.SIGNAL ? "typing" : null, null, data);
    };
  }

  private static String userId(Random random) {
    return random.nextBoolean()
        ? Integer.toString(1 + random.nextInt(100_000))
        : word(random, 1 + random.nextInt(60)) + "@:._".substring(random.nextInt(5));
  }

  private static ChatMessage.Origin origin(Random random) {
    boolean foreign = random.nextInt(4) == 0;
    return new ChatMessage.Origin(
        word(random, 1 + random.nextInt(30)),
        foreign ? "" : word(random, 1 + random.nextInt(20)),
        foreign || random.nextInt(4) == 0 ? "" : "2001:db8::1%eth0");
  }

  private static String text(Random random, int min) {
    StringBuilder text = new StringBuilder();
    int points = min + random.nextInt(random.nextInt(8) == 0 ? 501 - min : 40);
    for (int i = 0; i < points; i++) {
      text.appendCodePoint(
          random.nextBoolean()
              ? AWKWARD[random.nextInt(AWKWARD.length)]
              : 'a' + random.nextInt(26));
    }
    return text.toString();
  }

  private static String name(Random random) {
    return List.of("Zoë", "Ann \"A\" \\ Lee", "日本", "👩‍🚀", "عَلي").get(random.nextInt(5));
  }

  private static String word(Random random, int length) {
    StringBuilder word = new StringBuilder();
    for (int i = 0; i < length; i++) {
      word.append(WORD.charAt(random.nextInt(WORD.length())));
    }
    return word.toString();
  }
}
