package dev.chatflow.client.fake;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Serves the posts on one HTTP connection. Belongs to one thread. */
final class FakePosts {
  private final FakeServer server;
  private final Socket socket;

  FakePosts(FakeServer server, Socket socket) {
    this.server = server;
    this.socket = socket;
  }

  /** Serves the request whose first line was already read, and all further requests. */
  void serve(String firstPath, DataInputStream in) throws IOException {
    String path = firstPath;
    while (true) {
      int length = 0;
      String key = "";
      for (String line = FakeSession.line(in); !line.isEmpty(); line = FakeSession.line(in)) {
        String name = line.substring(0, line.indexOf(':')).toLowerCase(Locale.ROOT);
        String value = line.substring(line.indexOf(':') + 1).strip();
        length = name.equals("content-length") ? Integer.parseInt(value) : length;
        key = name.equals("idempotency-key") ? value : key;
      }
      String body = new String(in.readNBytes(length), StandardCharsets.UTF_8);
      server.awaitStall();
      answer(server.postStatus(), path.split("/", -1)[3], key, body);
      path = FakeSession.line(in).split(" ", -1)[1];
    }
  }

  private void answer(int status, String room, String key, String body) throws IOException {
    JsonObject json = JsonParser.parseString(body).getAsJsonObject();
    String id = FakeSession.string(json, "messageId");
    if (!key.equals(id)) {
      throw new IllegalStateException("key " + key + " and id " + id);
    }
    if (status == 201) {
      String user = FakeSession.string(json, "userId");
      String frame =
          FakeSession.broadcast(
              "TEXT",
              room,
              user,
              FakeSession.string(json, "username"),
              FakeSession.string(json, "message"),
              FakeSession.string(json, "timestamp"),
              id,
              "");
      server.room(room).posted(user, id, frame);
    }
    String answer = "{\"messageId\":\"" + id + "\"}";
    String text =
        "HTTP/1.1 "
            + status
            + " Answer\r\nTransfer-Encoding: chunked\r\n\r\n"
            + Integer.toHexString(answer.length())
            + "\r\n"
            + answer
            + "\r\n0\r\n\r\n";
    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
  }
}
