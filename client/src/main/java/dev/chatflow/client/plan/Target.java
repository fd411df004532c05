package dev.chatflow.client.plan;

import dev.chatflow.client.CommandFailure;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The servers of a run, over which users are distributed in turn.
 *
 * <p>{@code {room}} in a URL is replaced by the room id; without it the id is appended to the path.
 *
 * @param together number of consecutive users on the same server: 1, or the size of a room
 */
public record Target(List<String> urls, int together) {
  private static final String ROOM = "{room}";
  private static final Pattern NO_SUCH_PLACE = Pattern.compile("HTTP/1\\.[01] 40[04]( .*)?");
  private static final String HOW_A_URL_LOOKS =
      "; a URL must have the path of the chat without a room, such as ws://host:8080/chat: the"
          + " room id, 1 to 64 of A-Z a-z 0-9 _ -, is appended";

  public Target {
    if (urls.isEmpty()) {
      throw CommandFailure.usage("at least one URL is required");
    }
    urls = List.copyOf(urls);
    urls.forEach(url -> parse(url, "1"));
  }

  /** Creates a target with consecutive users on different servers. */
  public Target(List<String> urls) {
    this(urls, 1);
  }

  /** Returns the same servers with whole rooms of this size in turn. */
  public Target byRoom(int roomSize) {
    return new Target(urls, roomSize);
  }

  public int serverOf(int user) {
    return user / together % urls.size();
  }

  /** Returns the address of a room on server {@code server}, counted from 0. */
  public URI uriOfServer(int server, int room) {
    return parse(urls.get(server), Integer.toString(room));
  }

  /**
   * Returns the address of an HTTP page of server {@code server}: keeps the context path and
   * removes {@code /chat}.
   */
  public URI pageOf(int server, String page) {
    URI chat = parse(urls.get(server), "1");
    String path = chat.getRawPath();
    int cut = path.lastIndexOf("/chat/");
    String base = cut < 0 ? "" : path.substring(0, cut);
    try {
      String scheme = isSecure(chat) ? "https" : "http";
      return new URI(scheme, null, chat.getHost(), chat.getPort(), base + page, null, null);
    } catch (URISyntaxException e) {
      throw CommandFailure.usage("no page " + page + " for " + chat);
    }
  }

  /** Returns the address for a user's posts to a room. */
  public URI postUriOf(int user, int room) {
    return pageOf(serverOf(user), "/api/rooms/" + room + "/messages");
  }

  /** Returns the URL without user and password. */
  private static String shown(String url) {
    return url.replaceFirst("^([a-z]+://)?.*@", "$1***@");
  }

  private static URI parse(String url, String room) {
    if (url.startsWith("@")) {
      throw CommandFailure.usage(
          "no such file: " + url.substring(1) + "; @FILE reads options from a file");
    }
    String full = url.contains(ROOM) ? url.replace(ROOM, room) : withoutSlash(url) + "/" + room;
    try {
      URI uri = new URI(full);
      if (!"ws".equals(uri.getScheme()) && !isSecure(uri)) {
        throw CommandFailure.usage("URL must start with ws:// or wss://, found " + shown(url));
      }
      if (uri.getHost() == null) {
        throw CommandFailure.usage("URL has no host: " + shown(url));
      }
      return uri;
    } catch (URISyntaxException e) {
      throw CommandFailure.usage("URL is malformed: " + shown(url));
    }
  }

  /**
   * Returns a hint after the reason for a failed connection; empty if the reason is sufficient.
   *
   * @param reason the reason, such as the status line of the server's answer
   */
  public static String hint(String reason) {
    return NO_SUCH_PLACE.matcher(reason).matches() ? HOW_A_URL_LOOKS : "";
  }

  /** Returns the port of a URL, or the default of its scheme. */
  public static int portOf(URI uri) {
    return uri.getPort() >= 0 ? uri.getPort() : isSecure(uri) ? 443 : 80;
  }

  private static boolean isSecure(URI uri) {
    return "wss".equals(uri.getScheme());
  }

  private static String withoutSlash(String url) {
    return url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
  }
}
