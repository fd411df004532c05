package dev.chatflow.chat;

import com.google.gson.JsonObject;
import dev.chatflow.chat.link.Answer;
import dev.chatflow.chat.link.Closes;
import dev.chatflow.chat.link.Frames;
import dev.chatflow.chat.link.Loop;
import dev.chatflow.chat.link.Past;
import dev.chatflow.chat.link.Way;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A room over any number of connections. Everything of it happens on its loop. */
final class RoomClient implements Room {

  private static final long FAREWELL = 3_000; // ms a LEAVE has to come back
  private static final long DOUBT = 10_000; // ms until people are counted again, half by chance
  private static final int MAX_TEXT = 500; // code points

  /** What it is told to be. */
  record Setting(String id, @Nullable User user, int history, int members, int unconfirmed) {}

  /** What it needs around it. */
  interface Around {

    Way way(Way.Events on);

    /** How many people the server says are in the room. Waits for it. */
    int count() throws Exception;

    /** It was left. */
    void ended(RoomClient room);
  }

  private final Setting setting;
  private final Loop loop;
  private final Around around;
  private final Listener listener;
  private final Way way;
  private final Crowd crowd = new Crowd();
  private final Seen seen = new Seen();
  private final Outbox outbox;
  private final String prefix = "j-" + UUID.randomUUID() + "-";
  private final CompletableFuture<Void> goodbye;
  private int count; // ids made
  private @Nullable User user;
  private @Nullable JsonObject last; // names the frame up to which the room is known
  private boolean wasIn;
  private boolean isCountDue;
  private String leaveId = ""; // of the LEAVE under way
  private volatile boolean isLeaving;
  private volatile State state = new State.Connecting();

  RoomClient(Setting setting, Loop loop, Around around, Listener listener) {
    this.setting = setting;
    this.loop = loop;
    this.around = around;
    this.listener = listener;
    this.user = setting.user();
    this.goodbye = new Answer<>(loop);
    this.way = around.way(new Events());
    this.outbox = new Outbox(loop, setting.unconfirmed(), this::text, way::send);
  }

  /** Goes there. */
  void enter() {
    loop.execute(way::open);
  }

  @Override
  public String id() {
    return setting.id();
  }

  @Override
  public People people() {
    return crowd.look();
  }

  @Override
  public State state() {
    return state;
  }

  // --- own texts

  @Override
  public CompletableFuture<Message> send(String text) {
    ChatException wrong = wrong(text);
    if (wrong == null && isLeaving) {
      wrong = left("the room was left: join it anew");
    }
    if (wrong == null) {
      wrong = outbox.awaitPlace();
    }
    if (wrong != null) {
      return CompletableFuture.failedFuture(wrong);
    }
    CompletableFuture<Message> done = new Answer<>(loop);
    loop.execute(() -> take(text, done));
    return done;
  }

  private static @Nullable ChatException wrong(String text) {
    int characters = text.codePointCount(0, text.length());
    if (characters < 1 || characters > MAX_TEXT) {
      return new ChatException(
          "VALIDATION_FAILED",
          "a text has 1 to " + MAX_TEXT + " characters, this has " + characters);
    }
    return text.codePoints().anyMatch(c -> c >= 0xd800 && c < 0xe000)
        ? new ChatException("MALFORMED_JSON", "the text holds half a character")
        : null;
  }

  private static ChatException left(String why) {
    return new ChatException(ChatException.LEFT, why);
  }

  private String nextId() {
    return prefix + ++count;
  }

  private void take(String text, CompletableFuture<Message> done) {
    String id = nextId();
    outbox.add(id, text, done);
    if (isLeaving || state instanceof State.Stopped) {
      outbox.refuse(id, left("the room was left, or has stopped: join it anew"));
    } else if (way.isIn()) {
      outbox.send(id);
    }
  }

  private String text(String id, String text) {
    JsonObject frame = frame("TEXT", id);
    frame.addProperty("message", text);
    return frame.toString();
  }

  private JsonObject frame(String type, String id) {
    return Frames.message(type, self().id(), self().name(), id);
  }

  private User self() {
    return user == null ? new User("", "") : user;
  }

  /** Behind the own JOIN: the past has shown what was accepted. Nobody knows of the rest. */
  private void sendAgain(boolean isKnown) {
    if (!isKnown) {
      outbox.refuseSent(() ->
          new ChatException(
              ChatException.UNKNOWN,
              "the connection was lost: whether the room has it is not known"));
    }
    outbox.sendAll();
  }

  // --- going

  @Override
  public CompletableFuture<Void> leave() {
    loop.execute(this::sayLeave);
    return goodbye;
  }

  private void sayLeave() {
    if (isLeaving) {
      return;
    }
    isLeaving = true;
    if (way.isIn()) {
      leaveId = nextId();
      way.send(frame("LEAVE", leaveId).toString());
      loop.after(FAREWELL, this::left);
    } else {
      left();
    }
  }

  private void left() {
    if (goodbye.isDone()) {
      return;
    }
    way.close();
    outbox.rest();
    outbox.refuseAll(() -> left("the room was left before it came back"));
    State.Left gone = new State.Left();
    state = gone; // before those are told who wait for the goodbye
    goodbye.complete(null);
    say(gone);
    around.ended(this);
  }

  private void say(State now) {
    state = now;
    heed(() -> listener.state(this, now));
  }

  // --- what the room says

  private Message message(JsonObject broadcast, boolean isPast) {
    User from = Crowd.userOf(broadcast);
    return new Message(
        from,
        Frames.text(broadcast, "message"),
        Frames.text(broadcast, Frames.ID),
        Instant.parse(Frames.text(broadcast, Frames.TIME)),
        user != null && from.id().equals(user.id()),
        isPast,
        Frames.is(broadcast, "duplicate"));
  }

  /** In order. Only a past that is whole says who has come and gone. */
  private void show(List<JsonObject> broadcasts, boolean isPast, boolean isWhole) {
    for (JsonObject broadcast : broadcasts) {
      remember(broadcast);
      if (Frames.text(broadcast, Frames.TYPE).equals("TEXT")) {
        Message message = message(broadcast, isPast);
        if (seen.add(broadcast)) {
          tell(message);
        }
        if (message.own()) {
          outbox.back(message);
        }
      } else if (isWhole) {
        follow(broadcast);
      }
    }
  }

  /** The room is known up to here. */
  private void remember(JsonObject broadcast) {
    if (Frames.isNameable(broadcast)) {
      last = Frames.nameOf(broadcast);
    }
  }

  private void tell(Message message) {
    heed(() -> listener.message(this, message));
  }

  /** An error of the listener's own is its own: what is ours goes on behind it. */
  private void heed(Runnable call) {
    try {
      call.run();
    } catch (RuntimeException e) {
      loop.execute(() -> {
        throw e;
      });
    }
  }

  private void tell(People.Change change) {
    heed(() -> listener.people(this, change));
  }

  // --- who is there

  private void follow(JsonObject broadcast) {
    People.Change change = crowd.follow(broadcast);
    if (!change.equals(People.Change.NONE)) {
      tell(change);
    }
    if (crowd.isInDoubt() && !isCountDue) {
      isCountDue = true;
      loop.after((long) (DOUBT * (0.5 + loop.chance() / 2)), this::countAgain);
    }
  }

  /** What fails stays in doubt, until somebody else comes or goes. */
  private void countAgain() {
    isCountDue = false;
    if (crowd.isInDoubt() && way.isIn()) { // else the server tells another list
      loop.aside(around::count, count -> tell(crowd.recount(count)), _ -> {});
    }
  }

  // --- what happens on the way

  private final class Events implements Way.Events {

    @Override
    public void comes(@Nullable String token) {
      if (setting.user() == null) {
        User named = User.ofToken(token);
        if (user != null && !user.id().equals(named.id())) {
          throw new IllegalArgumentException(
              "the token names user %s, but %s joined this room: leave it, and join with another ChatFlow"
                  .formatted(named.id(), user.id()));
        }
        user = named;
      }
    }

    @Override
    public JsonObject join() {
      JsonObject frame = frame("JOIN", nextId());
      if (last != null) {
        frame.add("after", last);
      }
      frame.addProperty("history", setting.history());
      frame.addProperty("members", setting.members());
      return frame;
    }

    @Override
    public void connecting() {
      say(new State.Connecting());
    }

    @Override
    public void joining() {
      say(new State.Joining());
    }

    @Override
    public void waiting(String why, long until) {
      say(new State.Waiting(why, Instant.ofEpochMilli(until)));
    }

    @Override
    public void stopped(String why, String code) {
      outbox.refuseAll(() -> left("the room has stopped: " + why));
      say(new State.Stopped(why, code));
    }

    @Override
    public void arrived(Way.Arrival arrival) {
      Past past = arrival.past();
      boolean isKnown = past.isHeld() || !wasIn;
      boolean isGap = wasIn && !past.isHeld();
      wasIn = true;
      say(new State.Here(Frames.text(arrival.join(), "serverId")));
      if (isGap) {
        heed(() -> listener.gap(RoomClient.this));
      }
      show(past.take(), !arrival.hasMoved(), past.isHeld());
      remember(arrival.join());
      sendAgain(isKnown);
      if (arrival.people() != null) {
        members(arrival.people());
      }
      follow(arrival.join());
    }

    @Override
    public void pastIsFull(Past past) {
      show(past.take(), true, true);
    }

    @Override
    public void live(JsonObject broadcast) {
      show(List.of(broadcast), false, true);
      if (Frames.text(broadcast, Frames.ID).equals(leaveId)
          && Frames.text(broadcast, Frames.TYPE).equals("LEAVE")) {
        left();
      }
    }

    @Override
    public void members(JsonObject frame) {
      tell(crowd.list(frame, self()));
    }

    @Override
    public void failed(JsonObject error) {
      String id = Frames.text(error, Frames.ID);
      long retryAfter = Frames.number(error, "retryAfterMs");
      if (retryAfter > 0) {
        outbox.sendLater(id, retryAfter);
      } else {
        String code = Frames.text(error, Frames.ERROR_CODE);
        outbox.refuse(id, new ChatException(code, Frames.refusal(error)));
      }
    }

    @Override
    public void away(int code, boolean wasInBefore) {
      if (code == Closes.GAP) {
        last = null;
      }
      outbox.rest();
      if (isLeaving) {
        loop.execute(RoomClient.this::left);
      }
    }
  }
}
