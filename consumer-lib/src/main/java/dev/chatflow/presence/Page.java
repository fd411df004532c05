package dev.chatflow.presence;

import dev.chatflow.broker.Lane;
import dev.chatflow.message.JsonBytes;
import dev.chatflow.message.JsonTree;
import dev.chatflow.message.MalformedTextException;
import dev.chatflow.room.UserDevice;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One page of a lane's snapshot of its members, the body of an entry.
 *
 * @param request the newest request read before the members were listed
 * @param page 1, 2, 3 …
 * @param of number of pages of the snapshot
 * @param lanes other lanes that may have members, as far as this lane knows: they may have been
 *     silent since before another server started reading
 */
record Page(Request request, int page, int of, List<Lane> lanes, List<Listed> presence) {

  static final int MOST_LANES = 200;

  static final int MAX_MEMBERS = 400;
  static final int MOST_BYTES = 16_000;

  /** In addition to a member's texts: brackets, quotes, commas, two numbers. */
  private static final int BYTES_PER_MEMBER = 52;

  /** Fields of a member; a device and data may follow. */
  private static final int FIELDS = 5;

  /** A request of a lane. */
  record Request(Lane lane, long number) {

    @Override
    public String toString() {
      return lane + "#" + number;
    }

    static @Nullable Request parse(String text) {
      int mark = text.lastIndexOf('#');
      Lane lane = mark < 0 ? null : Lane.parse(text.substring(0, mark));
      try {
        return lane == null ? null : new Request(lane, Long.parseLong(text.substring(mark + 1)));
      } catch (NumberFormatException _) {
        return null;
      }
    }
  }

  /** A member of a room. */
  record Listed(String room, Person person) {}

  /** Returns the bodies of a snapshot, at least one. */
  static List<byte[]> bodies(Request request, List<Lane> lanes, List<Listed> presence) {
    List<List<Listed>> pages = split(presence);
    List<byte[]> bodies = new ArrayList<>();
    for (int i = 0; i < pages.size(); i++) {
      bodies.add(new Page(request, i + 1, pages.size(), lanes, pages.get(i)).body());
    }
    return bodies;
  }

  private static List<List<Listed>> split(List<Listed> presence) {
    List<List<Listed>> pages = new ArrayList<>();
    List<Listed> page = new ArrayList<>();
    int bytes = 0;
    for (Listed each : presence) {
      int more = bytes(each);
      if (page.size() >= MAX_MEMBERS || (bytes + more > MOST_BYTES && !page.isEmpty())) {
        pages.add(page);
        page = new ArrayList<>();
        bytes = 0;
      }
      page.add(each);
      bytes += more;
    }
    pages.add(page);
    return pages;
  }

  private static int bytes(Listed each) {
    Person person = each.person();
    return BYTES_PER_MEMBER
        + each.room().length()
        + person.who().userId().length()
        + person.who().device().length()
        + person.username().getBytes(StandardCharsets.UTF_8).length
        + person.connectionId().length()
        + (person.data() == null ? 0 : person.data().getBytes(StandardCharsets.UTF_8).length);
  }

  /**
   * Returns {@code {"who":…,"page":1,"of":3,"lanes":["server-2/1763812800000/3"],
   * "rooms":{"5":[["17","user17",stamp,joined,connection]]}}}.
   */
  private byte[] body() {
    JsonBytes json = new JsonBytes(MOST_BYTES);
    json.plain("{\"who\":\"").escaped(request.toString());
    json.plain("\",\"page\":").number(page).plain(",\"of\":").number(of).plain(",\"lanes\":[");
    for (int i = 0; i < lanes.size(); i++) {
      json.plain(i == 0 ? "\"" : ",\"").escaped(lanes.get(i).toString()).plain("\"");
    }
    json.plain("],\"rooms\":{");
    String room = null;
    for (Listed each : presence) {
      if (each.room().equals(room)) {
        json.plain(",");
      } else {
        json.plain(room == null ? "\"" : "],\"").escaped(each.room()).plain("\":[");
        room = each.room();
      }
      write(each.person(), json);
    }
    return json.plain(room == null ? "}}" : "]}}").toBytes();
  }

  private static void write(Person person, JsonBytes json) {
    json.plain("[\"").escaped(person.who().userId()).plain("\",\"").escaped(person.username());
    json.plain("\",").number(person.stamp()).plain(",").number(person.joinedMillis());
    json.plain(",\"").escaped(person.connectionId()).plain("\"");
    if (!person.who().device().isEmpty() || person.data() != null) {
      json.plain(",\"").plain(person.who().device()).plain("\"");
    }
    writeData(person.data(), json);
    json.plain("]");
  }

  private static void writeData(@Nullable String data, JsonBytes json) {
    if (data != null) {
      json.plain(",\"").escaped(data).plain("\"");
    }
  }

  /** Parses a body that a lane published; null if it is malformed or of a newer form. */
  static @Nullable Page read(Lane lane, byte[] body) {
    try {
      Object tree = JsonTree.read(new String(body, StandardCharsets.UTF_8));
      return tree instanceof Map<?, ?> fields ? read(lane, fields) : null;
    } catch (MalformedTextException | ClassCastException _) {
      return null;
    }
  }

  private static @Nullable Page read(Lane lane, Map<?, ?> fields) {
    if (fields.get("who") instanceof String who
        && fields.get("page") instanceof Long page
        && fields.get("of") instanceof Long of
        && fields.get("lanes") instanceof List<?> lanes
        && fields.get("rooms") instanceof Map<?, ?> rooms) {
      Request request = Request.parse(who);
      List<Listed> presence = new ArrayList<>();
      for (Map.Entry<?, ?> room : rooms.entrySet()) {
        for (Object person : (List<?>) room.getValue()) {
          presence.add(new Listed((String) room.getKey(), person(lane, (List<?>) person)));
        }
      }
      return request == null
          ? null
          : new Page(request, page.intValue(), of.intValue(), lanes(lanes), presence);
    }
    return null;
  }

  private static List<Lane> lanes(List<?> names) {
    return names.stream().map(name -> Lane.parse((String) name)).filter(Objects::nonNull).toList();
  }

  private static Person person(Lane lane, List<?> fields) {
    if (fields.size() < FIELDS) {
      throw new ClassCastException("a person has " + FIELDS + " fields");
    }
    String device = fields.size() > FIELDS ? (String) fields.get(FIELDS) : "";
    return new Person(
        new UserDevice((String) fields.get(0), device),
        (String) fields.get(1),
        lane,
        (String) fields.get(4),
        (Long) fields.get(2),
        (Long) fields.get(3),
        fields.size() > FIELDS + 1 ? (String) fields.get(FIELDS + 1) : null);
  }
}
