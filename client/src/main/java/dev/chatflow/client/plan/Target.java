package dev.chatflow.client.plan;

import dev.chatflow.client.CommandFailure;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The servers of a run; users are spread over them in turn.
 *
 * <p>{@code {room}} in a URL stands for the room id; without it the id is appended to the path.
 *
 * @param together users in a row who go to the same server: 1, or a room's
 */
public record Target(List<String> urls, int together) {
  private static final String ROOM = "{room}";
  private static final Pattern NO_SUCH_PLACE = Pattern.compile("HTTP/1\\.[01] 40[04]( .*)?");
  private static final String HOW_A_URL_LOOKS =
      "; a URL must name the path of the chat, such as ws://host:8080/chat, and no room:"
          + " its id, 1 to 64 of A-Z a-z 0-9 _ -, is appended";

  public Target {
    if (urls.isEmpty()) {
      throw CommandFailure.usage("at least one URL is needed");
    }
    urls = List.copyOf(urls);
    urls.forEach(url -> parse(url, "1"));
  }

  /** Each user to the next server. */
  public Target(List<String> urls) {
    this(urls, 1);
  }

  /** The same servers, whole rooms of this size in turn. */
  public Target byRoom(int roomSize) {
    return new Target(urls, roomSize);
  }

  public int serverOf(int user) {
    return user / together % urls.size();
  }

  /** A room on server {@code server}, counted from 0. */
  public URI uriOfServer(int server, int room) {
    return parse(urls.get(server), Integer.toString(room));
  }

  /**
   * The address of an HTTP page of server {@code server}: context path kept, {@code /chat} removed.
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

  /** Where a user posts the messages of a room. */
  public URI postUriOf(int user, int room) {
    return pageOf(serverOf(user), "/api/rooms/" + room + "/messages");
  }

  /** The URL without user and password, which it may hold by mistake. */
  private static String shown(String url) {
    return url.replaceFirst("^([a-z]+://)?.*@", "$1***@");
  }

  private static URI parse(String url, String room) {
    if (url.startsWith("@")) {
      throw CommandFailure.usage(
          "there is no file " + url.substring(1) + "; @FILE takes the options that stand in it");
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
   * What to look at when a connection could not be opened, to be set behind the reason; empty when
   * the reason says enough.
   *
   * @param reason why, such as the status line of the server's answer
   */
  public static String hint(String reason) {
    return NO_SUCH_PLACE.matcher(reason).matches() ? HOW_A_URL_LOOKS : "";
  }

  /** The port of a URL: its own or that of its scheme. */
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
