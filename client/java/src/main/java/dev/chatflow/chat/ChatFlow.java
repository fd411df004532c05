package dev.chatflow.chat;

import com.google.gson.JsonObject;
import dev.chatflow.chat.link.Answer;
import dev.chatflow.chat.link.Frames;
import dev.chatflow.chat.link.JdkNet;
import dev.chatflow.chat.link.Net;
import dev.chatflow.chat.link.Reconnector;
import dev.chatflow.chat.link.RoomLoop;
import dev.chatflow.chat.link.Servers;
import dev.chatflow.chat.link.Tokens;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A user of a ChatFlow server or cluster: joins rooms, and posts to them without joining.
 * Thread-safe.
 */
public final class ChatFlow implements AutoCloseable {

  private static final Pattern ROOM = Pattern.compile("[A-Za-z0-9_-]{1,64}");
  private static final Pattern USER = Pattern.compile("[A-Za-z0-9._:@|-]{1,64}");
  private static final Pattern NAME =
      Pattern.compile("(?=.*\\S)[^\\p{Cc}\\u2028-\\u202e\\u2066-\\u2069]{1,64}");
  private static final Pattern KEY = Pattern.compile("[A-Za-z0-9._:-]{1,64}");
  private static final Pattern DEVICE = Pattern.compile("[A-Za-z0-9._:-]{1,32}");
  private static final long FAREWELL_SECONDS = 5;

  private final Builder options;
  private final Servers servers;
  private final HttpClient http;
  private final Net net;
  private final Tokens tokens;
  private final Semaphore posting;
  private final Set<RoomClient> rooms = ConcurrentHashMap.newKeySet();
  private final ScheduledExecutorService timers;
  private volatile boolean isClosed;

  private ChatFlow(Builder options) {
    this.options = options;
    this.servers = new Servers(options.bases);
    this.http = options.http == null ? HttpClient.newHttpClient() : options.http;
    this.net = new JdkNet(http, options.headers);
    this.tokens = new Tokens(options.token, System.currentTimeMillis(), RoomLoop::uptime);
    this.posting = new Semaphore(options.unconfirmed);
    this.timers =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("chatflow-timers").factory());
  }

  /**
   * Starts a builder for the server at this address, or for several servers of a cluster. The first
   * one is used until it cannot be reached, stops or is full, then the next.
   *
   * @param base the address of the chat page, such as {@code https://chat.example.com/}
   */
  public static Builder to(URI base, URI... others) {
    return new Builder(
        Stream.concat(Stream.of(base), Stream.of(others)).map(Builder::parsed).toList());
  }

  /** Collects the settings of a client. Not thread-safe. */
  public static final class Builder {

    private final List<URI> bases;
    private final Map<String, String> headers = new LinkedHashMap<>();
    private @Nullable User user;
    private @Nullable Supplier<String> token;
    private @Nullable HttpClient http;
    private String device = "";
    private @Nullable String data;
    private int history = 50;
    private int members = 200;
    private int unconfirmed = 1_024;
    private int maxText = 500;

    private Builder(List<URI> bases) {
      this.bases = bases;
    }

    private static URI parsed(URI base) {
      Objects.requireNonNull(base, "the address is null: name the page, https://HOST/");
      if (!List.of("http", "https").contains(base.getScheme()) || base.getHost() == null) {
        throw new IllegalArgumentException(
            "the address must be http://HOST/ or https://HOST/, found " + base);
      }
      return URI.create(base.toString().replaceFirst("/*$", "/"));
    }

    /**
     * Sets the user to connect as. Required without a token, and with a token that is valid for any
     * user.
     */
    public Builder user(String id, String name) {
      require(USER, "user id", id, "1 to 64 of A-Z a-z 0-9 . _ : @ | -");
      require(
          NAME, "user name", name, "1 to 64 characters without control and direction characters");
      user = new Values.UserValue(id, name);
      return this;
    }

    /**
     * Sets the supplier of tokens (JWT). The library calls it when it needs a token, one minute
     * before the current token ends, and when a server rejects a token. A room stops when the
     * supplier returns the rejected token again. The supplier may block and may throw; after an
     * exception it is called again later.
     */
    public Builder token(Supplier<String> supplier) {
      token = Objects.requireNonNull(supplier, "the token supplier is null: leave out this call");
      return this;
    }

    /**
     * Names this device: 1 to 32 of {@code A-Z a-z 0-9 . _ : -}. A newer connection of the user to
     * a room takes over only from the same device. Clients without a name are one device.
     */
    public Builder device(String name) {
      require(DEVICE, "device", name, "1 to 32 of A-Z a-z 0-9 . _ : -");
      device = name;
      return this;
    }

    /**
     * Sets a JSON object that describes this user to the members of its rooms, such as the address
     * of a picture: at most 2,048 bytes of UTF-8.
     */
    public Builder data(String json) {
      Rules.require(Rules.wrongData(json));
      data = json;
      return this;
    }

    /** Sets how many earlier messages to show after joining a room: 0 to 100 [default: 50]. */
    public Builder history(int messages) {
      history = inRange("history", messages, 0, 100);
      return this;
    }

    /** Sets how many members of a room to list by name: 0 to 200 [default: 200]. */
    public Builder members(int most) {
      members = inRange("members", most, 0, 200);
      return this;
    }

    /** Sets the maximum unacknowledged texts per room: 1 to 1,024 [default: 1,024]. */
    public Builder unconfirmed(int most) {
      unconfirmed = inRange("unconfirmed", most, 1, 1_024);
      return this;
    }

    /**
     * Sets the maximum characters of a text, if the servers are configured to accept more than 500
     * (CHATFLOW_MAX_TEXT): 500 to 4,000.
     */
    public Builder maxText(int most) {
      maxText = inRange("maxText", most, 500, 4_000);
      return this;
    }

    /** Sets the HTTP client to connect with, for example one with your certificates or proxies. */
    public Builder http(HttpClient client) {
      http = Objects.requireNonNull(client, "the HTTP client is null: leave out this call");
      return this;
    }

    /** Adds a header to every request. */
    public Builder header(String name, String value) {
      headers.put(
          Objects.requireNonNull(name, "the header's name is null"),
          Objects.requireNonNull(value, "the value of header " + name + " is null"));
      return this;
    }

    private static int inRange(String what, int value, int min, int max) {
      if (value < min || value > max) {
        throw new IllegalArgumentException(
            what + " must be from " + min + " to " + max + ", found " + value);
      }
      return value;
    }

    /** Creates the client. It opens no connection yet. */
    public ChatFlow build() {
      if (user == null && token == null) {
        throw new IllegalArgumentException(
            "neither a user nor a token supplier is set: call user(id, name) or token(supplier)");
      }
      return new ChatFlow(this);
    }
  }

  /**
   * Joins a room and reconnects to it until it is left. Returns at once.
   *
   * <p>A room that is already joined is returned unchanged, with this listener added. A room that
   * was left or has stopped is joined again as soon as the leave has completed.
   */
  public Room join(String room, Listener listener) {
    return join(room, listener, null);
  }

  /**
   * Joins a room and gets every text that followed an earlier one, then new ones: a program that
   * stores the position of each text that it handled misses none across its restart. If the server
   * does not keep that text any more, {@link Listener#gap} is called, and the last texts follow.
   *
   * @param after from {@link Message#position}; null for nothing
   * @throws IllegalArgumentException if {@code after} is something else
   */
  public synchronized Room join(String room, Listener listener, @Nullable String after) {
    require(ROOM, "room id", room, "1 to 64 of A-Z a-z 0-9 _ -");
    Objects.requireNonNull(listener, "the listener is null: it receives the room's messages");
    JsonObject from = after == null ? null : position(after);
    requireOpen();
    List<RoomClient> before = rooms.stream().filter(client -> client.id().equals(room)).toList();
    for (RoomClient client : before) {
      if (client.isActive()) {
        client.add(listener);
        return client;
      }
    }
    RoomClient client = room(room, listener, from);
    rooms.add(client);
    var unused = allLeft(before).thenRun(client::enter);
    return client;
  }

  private void requireOpen() {
    if (isClosed) {
      throw new IllegalStateException("this ChatFlow was closed: build another one");
    }
  }

  private static CompletableFuture<Void> allLeft(List<RoomClient> rooms) {
    return CompletableFuture.allOf(
        rooms.stream().map(RoomClient::leave).toArray(CompletableFuture<?>[]::new));
  }

  private static JsonObject position(String after) {
    JsonObject name = Frames.read(after);
    if (name == null || !Frames.nameOf(name).equals(name) || Frames.timeOf(name) == null) {
      throw new IllegalArgumentException("after must be the position of a message, found " + after);
    }
    return name;
  }

  private RoomClient room(String room, Listener listener, @Nullable JsonObject after) {
    RoomLoop loop = new RoomLoop("chatflow-" + room, timers);
    RoomClient.Setting setting =
        new RoomClient.Setting(
            room,
            options.user,
            options.device,
            options.data,
            options.history,
            options.members,
            options.unconfirmed,
            options.maxText);
    return new RoomClient(setting, loop, new Around(room, loop), listener, after);
  }

  private static void require(Pattern form, String what, String value, String rule) {
    if (!form.matcher(Objects.requireNonNull(value, what + " is null: it must be " + rule))
        .matches()) {
      throw new IllegalArgumentException(what + " must be " + rule + ", found " + value);
    }
  }

  /** The services that a room needs from this client. */
  private final class Around implements RoomClient.Around {

    private final String room;
    private final RoomLoop loop;

    Around(String room, RoomLoop loop) {
      this.room = room;
      this.loop = loop;
    }

    @Override
    public Reconnector reconnector(Reconnector.Events on) {
      return new Reconnector(net, servers, "chat/" + room, tokens, loop, on);
    }

    @Override
    public JsonObject members(String query) throws Exception {
      return json(get(query));
    }

    private Net.Answer get(String path) throws IOException, InterruptedException {
      return net.get(servers.current().resolve("api/rooms/" + room + path), tokens.held());
    }

    private static JsonObject json(Net.Answer answer) {
      JsonObject json = answer.status() == 200 ? Frames.read(answer.body()) : null;
      if (json == null) {
        throw ChatException.of(answer);
      }
      return json;
    }

    @Override
    public List<JsonObject> before(JsonObject name, int count) throws Exception {
      String frame = URLEncoder.encode(name.toString(), StandardCharsets.UTF_8);
      Net.Answer answer = get("/messages?last=" + count + "&before=" + frame);
      return answer.status() == 404 // the server keeps no earlier message
          ? List.of()
          : Frames.objects(json(answer), "messages");
    }

    @Override
    public void ended(RoomClient client) {
      rooms.remove(client);
      loop.end();
    }
  }

  /**
   * Posts a text to a room without joining it. The future completes when the room has the text.
   * While servers ask to wait or cannot be reached, the post is repeated for one minute; then the
   * future fails with a {@link ChatException}.
   *
   * <p>Blocks while {@link Builder#unconfirmed} posts are in flight. Called from a listener, it
   * fails with {@link Code#TOO_MANY} instead; a listener must not wait for the future either. Posts
   * in flight have no order.
   *
   * @param key the message id, 1 to 64 of {@code A-Z a-z 0-9 . _ : -}: a room shows a text only
   *     once per key, even if several clients repeat it
   */
  public CompletableFuture<Receipt> post(String room, String text, String key) {
    return post(room, text, Extras.NONE, key);
  }

  /** Posts a text like {@link #post(String, String, String)} that carries more. */
  public CompletableFuture<Receipt> post(String room, String text, Extras extras, String key) {
    require(ROOM, "room id", room, "1 to 64 of A-Z a-z 0-9 _ -");
    require(KEY, "key", key, "1 to 64 of A-Z a-z 0-9 . _ : -");
    Rules.require(Rules.wrongText(text, extras, options.maxText));
    requireOpen();
    CompletableFuture<Receipt> done = new Answer<>(this::isOnRoomThread);
    try {
      if (!isOnRoomThread()) {
        posting.acquire();
      } else if (!posting.tryAcquire()) {
        done.completeExceptionally(
            new ChatException(
                Code.TOO_MANY, options.unconfirmed + " posts are in flight: wait for some"));
        return done;
      }
      Thread.ofVirtual().name("chatflow-post").start(() -> post(room, text, extras, key, done));
    } catch (InterruptedException ignored) {
      Thread.currentThread().interrupt();
      done.completeExceptionally(new ChatException(Code.LEFT, "interrupted"));
    }
    return done;
  }

  private void post(
      String room, String text, Extras extras, String key, CompletableFuture<Receipt> done) {
    try {
      User self = options.user == null ? Values.userOfToken(tokens.get(null)) : options.user;
      JsonObject frame = Frames.message("TEXT", self.id(), self.name(), key);
      frame.addProperty("message", text);
      Values.add(extras, frame);
      String path = "api/rooms/" + room + "/messages";
      done.complete(new Poster(net, servers, tokens, PAUSES).post(path, key, frame.toString()));
    } catch (InterruptedException | RuntimeException e) { // also exceptions of the token supplier
      done.completeExceptionally(e);
    } finally {
      posting.release();
    }
  }

  /** Waits on the calling thread: each post runs on its own virtual thread. */
  private static final Poster.Pauses PAUSES =
      new Poster.Pauses() {
        @Override
        public long nanos() {
          return System.nanoTime();
        }

        @Override
        public void pause(Duration time) throws InterruptedException {
          Thread.sleep(time);
        }
      };

  private boolean isOnRoomThread() {
    return rooms.stream().anyMatch(RoomClient::isHeldUpHere);
  }

  /**
   * Leaves all rooms and waits until they are left, for at most 5 s.
   *
   * @throws IllegalStateException if called by a listener: its room cannot be left while it waits
   */
  @Override
  public void close() {
    if (isOnRoomThread()) {
      throw new IllegalStateException(
          "a listener must not close its ChatFlow: close() waits for the listener's own room."
              + " Call close() on another thread");
    }
    var unused =
        allLeft(lastRooms()).completeOnTimeout(null, FAREWELL_SECONDS, TimeUnit.SECONDS).join();
    timers.shutdownNow();
    if (options.http == null) {
      http.shutdown();
    }
  }

  private synchronized List<RoomClient> lastRooms() {
    isClosed = true;
    return List.copyOf(rooms);
  }
}
