package dev.chatflow.chat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.chatflow.chat.link.Answer;
import dev.chatflow.chat.link.Closes;
import dev.chatflow.chat.link.Frames;
import dev.chatflow.chat.link.History;
import dev.chatflow.chat.link.Loop;
import dev.chatflow.chat.link.Past;
import dev.chatflow.chat.link.Reconnector;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A room over any number of connections. All its state belongs to its loop. */
final class RoomClient implements Room {

  private static final long FAREWELL = 3_000; // ms to wait for the LEAVE to come back
  private static final long DOUBT =
      10_000; // ms until the members are counted again; half of it is random
  private static final String ENDED = "the room was left, or has stopped: join it again";
  private static final int MAX_OLDER = 100; // maximum texts in one response

  /** The settings of a room. */
  record Setting(
      String id,
      @Nullable User user,
      String device,
      @Nullable String data,
      int history,
      int members,
      int unconfirmed,
      int maxText) {}

  /** The services that a room needs. */
  interface Around extends History.Pages {

    Reconnector reconnector(Reconnector.Events on);

    /** Fetches the count and a page of the members. Blocks. */
    JsonObject members(String query) throws Exception;

    /** Reports that the room was left. */
    void ended(RoomClient room);
  }

  private final Setting setting;
  private final Loop loop;
  private final Around around;
  private final CopyOnWriteArrayList<Listener> listeners;
  private final Reconnector reconnector;
  private final Crowd crowd = new Crowd();
  private final Seen seen = new Seen();
  private final History history;
  private final Outbox outbox;
  private final String prefix = "j-" + UUID.randomUUID() + "-";
  private final CompletableFuture<Void> entered;
  private final CompletableFuture<Void> goodbye;
  private int count; // number of ids created
  private @Nullable User user;
  private @Nullable JsonObject last; // the frame up to which the room is known
  private @Nullable Instant awaySince; // when this room was last joined; null before the first time
  private boolean isCountDue;
  private String leaveId = ""; // of the LEAVE in flight
  private boolean isLeaving;
  private volatile boolean isUnwanted; // leave() was called; the LEAVE follows
  private volatile State state = new Values.ConnectingState();

  /**
   * Creates a room; {@link #enter} joins it.
   *
   * @param after the name of the frame up to which the program knows the room; null for none
   */
  RoomClient(
      Setting setting, Loop loop, Around around, Listener listener, @Nullable JsonObject after) {
    this.setting = setting;
    this.loop = loop;
    this.around = around;
    this.listeners = new CopyOnWriteArrayList<>(List.of(listener));
    this.history = new History(loop, around);
    this.user = setting.user();
    this.last = after;
    this.awaySince = after == null ? null : Frames.timeOf(after);
    this.entered = new Answer<>(loop::isHere);
    this.goodbye = new Answer<>(loop::isHere);
    this.reconnector = around.reconnector(new Events());
    this.outbox =
        new Outbox(
            loop,
            setting.unconfirmed(),
            (id, text, extras) -> carrying("TEXT", id, text, extras),
            reconnector::send);
  }

  /** Joins, unless {@link #leave} was called before. */
  void enter() {
    loop.execute(() -> {
      if (!isLeaving) {
        reconnector.open();
      }
    });
  }

  /** Returns whether the room is joined or joining, and was not left. */
  boolean isActive() {
    return !isUnwanted && !(state instanceof State.Stopped);
  }

  /**
   * Returns whether the caller runs on this room's thread, so that waiting would block the leave.
   */
  boolean isHeldUpHere() {
    return loop.isHere() && !goodbye.isDone();
  }

  /** Adds a listener. */
  void add(Listener listener) {
    listeners.addIfAbsent(listener);
  }

  @Override
  public String id() {
    return setting.id();
  }

  @Override
  public CompletableFuture<Void> entered() {
    return entered.copy();
  }

  @Override
  public People people() {
    return crowd.look();
  }

  @Override
  public Stream<Member> everybody() {
    return Stream.iterate(page(""), page -> !page.isEmpty(), this::pageAfter)
        .flatMap(page -> Frames.objects(page, "members").stream())
        .map(Values::memberOf);
  }

  /** Returns the next page; an empty object after the last one. */
  private JsonObject pageAfter(JsonObject page) {
    String next = Frames.text(page, "next");
    return next.isEmpty()
        ? new JsonObject()
        : page("&after=" + URLEncoder.encode(next, StandardCharsets.UTF_8));
  }

  private JsonObject page(String after) {
    CompletableFuture<JsonObject> page = new Answer<>(loop::isHere);
    loop.aside(
        () -> around.members("?limit=1000" + after), page::complete, page::completeExceptionally);
    return page.join();
  }

  @Override
  public State state() {
    return state;
  }

  // --- sending

  @Override
  public CompletableFuture<Message> send(String text, Extras extras) {
    Rules.require(Rules.wrongText(text, extras, setting.maxText()));
    ChatException wrong = isActive() ? outbox.awaitPlace() : left(ENDED);
    if (wrong != null) {
      return CompletableFuture.failedFuture(wrong);
    }
    CompletableFuture<Message> done = new Answer<>(loop::isHere);
    loop.execute(() -> take(text, extras, done));
    return done;
  }

  @Override
  public Optional<ChatException> wrong(String text, Extras extras) {
    String wrong = Rules.wrongText(text, extras, setting.maxText());
    if (wrong != null) {
      return Optional.of(new ChatException(Code.VALIDATION_FAILED, wrong));
    }
    return Optional.ofNullable(isActive() ? outbox.full() : left(ENDED));
  }

  @Override
  public boolean signal(Extras extras, String text) {
    Rules.require(Rules.wrongSignal(extras, text));
    boolean isHere = state instanceof State.Here && !isUnwanted;
    if (isHere) {
      loop.execute(() -> signalIfJoined(extras, text));
    }
    return isHere;
  }

  /** Drops the signal if the room was lost or left since the call. */
  private void signalIfJoined(Extras extras, String text) {
    if (reconnector.isIn() && !isLeaving) {
      reconnector.send(carrying("SIGNAL", nextId(), text, extras));
    }
  }

  private static ChatException left(String why) {
    return new ChatException(Code.LEFT, why);
  }

  private String nextId() {
    return prefix + ++count;
  }

  private void take(String text, Extras extras, CompletableFuture<Message> done) {
    String id = nextId();
    outbox.add(id, text, extras, done);
    if (isLeaving || state instanceof State.Stopped) {
      outbox.refuse(id, left(ENDED));
    } else if (reconnector.isIn()) {
      outbox.send(id);
    }
  }

  private String carrying(String type, String id, String text, Extras extras) {
    JsonObject frame = frame(type, id);
    frame.addProperty("message", text);
    Values.add(extras, frame);
    return frame.toString();
  }

  private JsonObject frame(String type, String id) {
    return Frames.message(type, self().id(), self().name(), id);
  }

  private User self() {
    return user == null ? new Values.UserValue("", "") : user;
  }

  /**
   * Runs after this client's JOIN came back: the earlier frames have shown which texts were
   * accepted. If they are incomplete, the other texts fail as unknown.
   */
  private void sendAgain(boolean isKnown) {
    if (!isKnown) {
      outbox.refuseSent(() ->
          new ChatException(
              Code.UNKNOWN, "the connection was lost: the text may or may not be in the room"));
    }
    outbox.sendAll();
  }

  // --- leaving

  @Override
  public CompletableFuture<Void> leave() {
    isUnwanted = true;
    loop.execute(this::sayLeave);
    return goodbye.copy(); // a program may complete what it gets, as orTimeout does
  }

  private void sayLeave() {
    if (isLeaving) {
      return;
    }
    isLeaving = true;
    if (reconnector.isIn()) {
      leaveId = nextId();
      reconnector.send(frame("LEAVE", leaveId).toString());
      loop.after(FAREWELL, this::left);
    } else {
      left();
    }
  }

  private void left() {
    if (goodbye.isDone()) {
      return;
    }
    reconnector.close();
    outbox.rest();
    outbox.refuseAll(() -> left("the room was left before it came back"));
    say(new Values.LeftState()); // before a room with the same id can be joined
    entered.completeExceptionally(left("the room was left before it was joined"));
    goodbye.complete(null);
    around.ended(this);
  }

  private void say(State now) {
    state = now;
    heed(listener -> listener.state(this, now));
  }

  // --- history

  @Override
  public CompletableFuture<List<Message>> older(int count) {
    requireCount(count);
    return read(() -> history.older(count), ignored -> true);
  }

  @Override
  public CompletableFuture<List<Message>> older(int count, Message before) {
    requireCount(count);
    JsonObject name = Values.nameOf(Objects.requireNonNull(before, "before is null: pass a text"));
    return read(() -> history.before(name, count), text -> !seen.has(text));
  }

  private static void requireCount(int count) {
    if (count < 1 || count > MAX_OLDER) {
      throw new IllegalArgumentException(
          "a server returns 1 to " + MAX_OLDER + " texts at a time, not " + count);
    }
  }

  private CompletableFuture<List<Message>> read(
      Supplier<CompletableFuture<List<JsonObject>>> texts, Predicate<JsonObject> which) {
    CompletableFuture<Void> begun = new Answer<>(loop::isHere);
    CompletableFuture<List<Message>> read =
        begun
            .thenCompose(ignored -> texts.get())
            .thenApply(
                found -> found.stream().filter(which).map(text -> message(text, true)).toList());
    loop.execute(() -> begun.complete(null));
    return read;
  }

  // --- broadcasts

  private Message message(JsonObject broadcast, boolean isPast) {
    return new Values.MessageValue(
        Values.userOf(broadcast),
        Frames.text(broadcast, "message"),
        Frames.text(broadcast, Frames.ID),
        Instant.parse(Frames.text(broadcast, Frames.TIME)),
        isOwn(broadcast),
        isPast,
        Frames.is(broadcast, "duplicate"),
        Values.extrasOf(broadcast),
        Frames.device(broadcast));
  }

  private Signal signal(JsonObject broadcast) {
    return new Values.SignalValue(
        Values.userOf(broadcast),
        Frames.text(broadcast, "message"),
        Instant.parse(Frames.text(broadcast, Frames.TIME)),
        isOwn(broadcast),
        Values.extrasOf(broadcast),
        Frames.device(broadcast));
  }

  private boolean isOwn(JsonObject broadcast) {
    return user != null && Frames.text(broadcast, Frames.USER).equals(user.id());
  }

  /** Shows broadcasts in order. Members come and go only in a past without gaps. */
  private void show(List<JsonObject> broadcasts, boolean isPast, boolean isWhole) {
    for (JsonObject broadcast : broadcasts) {
      remember(broadcast);
      if (Frames.isText(broadcast)) {
        Message message = message(broadcast, isPast);
        if (seen.add(broadcast)) {
          heed(listener -> listener.message(this, message));
        }
        if (message.own()) {
          outbox.back(message);
        }
      } else if (isWhole && !isOwn(broadcast)) {
        follow(broadcast);
      }
    }
  }

  /** Remembers the frame up to which the room is known. */
  private void remember(JsonObject broadcast) {
    if (Frames.isNameable(broadcast)) {
      last = Frames.nameOf(broadcast);
      history.shown(last);
    }
  }

  /**
   * Calls all listeners. An exception of a listener goes to the thread's handler and stops nothing
   * here.
   */
  private void heed(Consumer<Listener> call) {
    for (Listener listener : listeners) {
      try {
        call.accept(listener);
      } catch (RuntimeException e) {
        loop.execute(() -> {
          throw e;
        });
      }
    }
  }

  private void tell(People.Change change) {
    heed(listener -> listener.people(this, change));
  }

  // --- members

  /** Follows other users. A user is not notified of their own coming and going. */
  private void follow(JsonObject broadcast) {
    People.Change change = crowd.follow(broadcast);
    if (!change.equals(Crowd.UNCHANGED)) {
      tell(change);
    }
    if (crowd.isInDoubt() && !isCountDue) {
      isCountDue = true;
      loop.after((long) (DOUBT * (0.5 + loop.chance() / 2)), this::countAgain);
    }
  }

  /**
   * Counts the members again. After a failure the count stays in doubt until the next JOIN or
   * LEAVE.
   */
  private void countAgain() {
    isCountDue = false;
    if (crowd.isInDoubt() && reconnector.isIn()) { // otherwise the server has sent another list
      loop.aside(
          () -> around.members("?limit=1"), page -> tell(crowd.recount(page)), ignored -> {});
    }
  }

  // --- connection events

  private final class Events implements Reconnector.Events {

    @Override
    public void comes(@Nullable String token) {
      if (setting.user() == null) {
        User named = Values.userOfToken(token);
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
      if (!setting.device().isEmpty()) {
        frame.addProperty(Frames.DEVICE, setting.device());
      }
      if (setting.data() != null) {
        frame.add("data", JsonParser.parseString(setting.data()));
      }
      if (last != null) {
        frame.add("after", last);
      }
      frame.addProperty("history", setting.history());
      frame.addProperty("members", setting.members());
      return frame;
    }

    @Override
    public void connecting() {
      say(new Values.ConnectingState());
    }

    @Override
    public void joining() {
      say(new Values.JoiningState());
    }

    @Override
    public void waiting(String why, long until) {
      say(new Values.WaitingState(why, Instant.ofEpochMilli(until)));
    }

    @Override
    public void stopped(String why, String code, int closeCode) {
      ChatException failure = ChatException.of(code, why);
      outbox.refuseAll(() -> left("the room has stopped: " + why));
      say(new Values.StoppedState(String.valueOf(failure.getMessage()), failure.code(), closeCode));
      entered.completeExceptionally(failure);
    }

    @Override
    public void arrived(Reconnector.Arrival arrival) {
      Past past = arrival.past();
      List<JsonObject> frames = past.take();
      Instant knownUntil = past.isHeld() ? null : awaySince;
      awaySince = Instant.ofEpochMilli(loop.now());
      say(new Values.HereState(Frames.text(arrival.join(), "serverId")));
      if (knownUntil != null) {
        last = null;
        tellGap(knownUntil, frames);
      }
      show(frames, !arrival.hasMoved(), past.isHeld());
      remember(arrival.join());
      sendAgain(knownUntil == null);
      if (arrival.people() != null) {
        members(arrival.people());
      }
      var unused = crowd.follow(arrival.join());
      entered.complete(null);
    }

    private void tellGap(Instant since, List<JsonObject> frames) {
      Optional<Message> until =
          frames.stream().filter(Frames::isText).findFirst().map(text -> message(text, true));
      Room.Gap gap = new Values.GapValue(since, until.orElse(null));
      heed(listener -> listener.gap(RoomClient.this, gap));
    }

    @Override
    public void pastIsFull(Past past) {
      show(past.take(), true, true);
    }

    @Override
    public void live(JsonObject broadcast) {
      if (Frames.isSignal(broadcast)) { // has no position in the room, so it is not remembered
        Signal signal = signal(broadcast);
        heed(listener -> listener.signal(RoomClient.this, signal));
        return;
      }
      show(List.of(broadcast), false, true);
      if (Frames.text(broadcast, Frames.ID).equals(leaveId)
          && Frames.text(broadcast, Frames.TYPE).equals("LEAVE")) {
        var unused = crowd.follow(broadcast);
        left();
      }
    }

    @Override
    public void members(JsonObject frame) {
      Member self = new Values.MemberValue(self().id(), self().name(), setting.data());
      tell(crowd.list(frame, self, setting.device()));
    }

    @Override
    public void failed(JsonObject error) {
      String id = Frames.text(error, Frames.ID);
      long retryAfter = Frames.number(error, "retryAfterMs");
      if (retryAfter > 0) {
        outbox.sendLater(id, retryAfter);
      } else {
        String code = Frames.text(error, Frames.ERROR_CODE);
        outbox.refuse(id, ChatException.of(code, Frames.refusal(error)));
      }
    }

    @Override
    public void away(int code, boolean wasInBefore) {
      if (code == Closes.GAP) {
        last = null;
      }
      if (wasInBefore) {
        awaySince = Instant.ofEpochMilli(loop.now());
      }
      outbox.rest();
      if (isLeaving) {
        loop.execute(RoomClient.this::left);
      }
    }
  }
}
