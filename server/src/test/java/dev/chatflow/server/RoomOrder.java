package dev.chatflow.server;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;

/** The messages of a room in order, which every member must have seen. */
final class RoomOrder {

  private RoomOrder() {}

  /** Returns all texts that a server keeps of a room, page by page over HTTP. */
  static List<String> texts(TestServer server, String room) throws IOException {
    List<String> order = new ArrayList<>();
    String before = "";
    while (true) {
      JsonObject page =
          JsonParser.parseString(
                  server.get("/api/rooms/" + room + "/messages?last=100" + before).body())
              .getAsJsonObject();
      List<JsonObject> frames =
          StreamSupport.stream(page.getAsJsonArray("messages").spliterator(), false)
              .map(JsonElement::getAsJsonObject)
              .toList();
      if (frames.isEmpty()) {
        return order;
      }
      order.addAll(
          0,
          frames.stream()
              .filter(frame -> frame.get("messageType").getAsString().equals("TEXT"))
              .map(frame -> frame.get("message").getAsString())
              .toList());
      before = "&before=" + URLEncoder.encode(frames.getFirst().toString(), StandardCharsets.UTF_8);
    }
  }
}
