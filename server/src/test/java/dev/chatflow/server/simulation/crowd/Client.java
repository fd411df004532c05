package dev.chatflow.server.simulation.crowd;

import dev.chatflow.room.UserDevice;
import dev.chatflow.server.simulation.plan.Dice.Channel;
import dev.chatflow.server.simulation.plan.Met.What;
import dev.chatflow.server.simulation.plan.Step;
import dev.chatflow.server.simulation.world.SimulatedServer;
import dev.chatflow.server.simulation.world.World;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A client that follows the protocol: it stays in its room as its user wants, names the last frame
 * it has when it reconnects, and sends unacknowledged messages again.
 */
public final class Client {

  private static final int MOST_HISTORY = 6;
  private static final long PATIENCE_MILLIS = 6_000;

  /** A text that was not seen yet, and the JOIN after which it was sent. */
  private static final class Unseen {
    private final String id;
    private @Nullable String behind;

    Unseen(String id) {
      this.id = id;
    }
  }

  private final World world;
  private final Crowd crowd;
  private final int user;
  private final List<Visit> visits = new ArrayList<>();
  private final List<Unseen> unseen = new ArrayList<>();
  private final Set<String> unknown = new HashSet<>();

  private @Nullable Socket socket;
  private boolean wanted;
  private @Nullable String last;
  private String join = "";
  private boolean entered;
  private int ids;
  private int texts;
  private int untracked; // signals and edits, which are never sent again
  private long drawn;

  Client(World world, Crowd crowd, int user) {
    this.world = world;
    this.crowd = crowd;
    this.user = user;
  }

  /** Returns user and device, as in the log. */
  public String id() {
    return new UserDevice(userId(), device()).toString();
  }

  /**
   * Returns a number or a letter, of one length, because the length affects the outcome of a plan.
   * The last two clients are devices of one user.
   */
  String userId() {
    return user == 2 ? "c" : Integer.toString(Math.min(user, 3));
  }

  private String device() {
    return user < 3 ? "" : "d" + user;
  }

  public List<Visit> visits() {
    return visits;
  }

  public boolean isWanted() {
    return wanted;
  }

  public @Nullable Visit current() {
    Socket known = socket;
    return known == null ? null : known.visit();
  }

  /** Returns whether the client is in its target state and every text it sent was shown to it. */
  public boolean isSettled() {
    return !wanted || (socket != null && entered && unseen.isEmpty());
  }

  private int below(int bound) {
    return world.dice().below(bound, Channel.CLIENT, user * 1_000_000L + drawn++);
  }

  // --- actions of the user

  void act(Step step) {
    int odd = (int) (step.value() >>> 40 & 7);
    switch (step.action()) {
      case JOIN -> join(step, odd);
      case TEXT -> {
        signal(step);
        editAnother(step);
        say();
      }
      case LEAVE -> leave(odd);
      case CUT_CLIENT -> cut(step, odd);
      case STALL_CLIENT -> stall(step);
      default -> throw new IllegalArgumentException("not a client's: " + step);
    }
  }

  /** Joins; a joined client moves to another server, or connects there a second time. */
  private void join(Step step, int odd) {
    Socket known = socket;
    if (!wanted && known != null && odd < 4) {
      wanted = true;
      ask(known);
      return;
    }
    if (known != null && odd < 5) {
      say();
    } else {
      wanted = true;
      connect(world.servers().get(step.actor()));
    }
  }

  private void say() {
    if (wanted) {
      Unseen text = new Unseen("u" + user + "-" + texts++);
      unseen.add(text);
      Socket known = socket;
      if (known != null && maySend(known.visit())) {
        sendFresh(known);
      }
    }
  }

  /** Sends a signal, sometimes; it is never sent again. */
  private void signal(Step step) {
    Socket known = socket;
    if ((step.value() >>> 44 & 3) == 0 && known != null && entered) {
      String id = "s" + user + "-" + untracked++;
      world.note(() -> this + " signals " + id + " at " + known.visit().server());
      known.send(frame("SIGNAL", id, "", ",\"kind\":\"typing\""));
    }
  }

  /** Tries to edit a text of another user, sometimes; the server must refuse it. */
  private void editAnother(Step step) {
    Socket known = socket;
    if ((step.value() >>> 46 & 3) == 0 && known != null && entered) {
      String id = "x" + user + "-" + untracked++;
      world.note(() -> this + " edits a text of another user as " + id);
      known.send(
          frame("TEXT", id, "changed", ",\"kind\":\"edit\",\"ref\":\"u0-0\",\"refUserId\":\"99\""));
    }
  }

  private void sendFresh(Socket by) {
    for (Unseen text : List.copyOf(unseen)) {
      if (isFresh(text)) {
        send(by, text);
      }
    }
  }

  /**
   * Returns whether it may send: after its JOIN, or together with it if no earlier text is
   * unacknowledged and no rejection is pending.
   */
  private boolean maySend(Visit visit) {
    return entered
        || (!join.isEmpty()
            && !visit.wasRefused()
            && unseen.stream().allMatch(each -> isFresh(each) || isBehind(each, join))
            && below(2) == 0);
  }

  private static boolean isBehind(Unseen text, String join) {
    return join.equals(text.behind);
  }

  private static boolean isFresh(Unseen text) {
    return text.behind == null;
  }

  private void leave(int odd) {
    Socket known = socket;
    if (known != null && entered) {
      String id = "l" + user + "-" + ids++;
      known.visit().leaves(id);
      known.send(frame("LEAVE", id, "", ""));
      entered = false;
      wanted = odd < 2;
      if (wanted) {
        ask(known);
      }
    }
  }

  private void cut(Step step, int odd) {
    Socket known = socket;
    if (known != null) {
      socket = null;
      entered = false;
      boolean silent = odd < 3;
      world.note(() -> this + " is cut off" + (silent ? " in silence" : ""));
      known.leave(silent ? 2_000 + step.below(10_000) : step.below(50));
      again();
    }
  }

  private void stall(Step step) {
    Socket known = socket;
    if (known != null) {
      known.stall(step.below((step.value() >>> 50 & 3) == 0 ? 8_000 : 1_000));
    }
  }

  // --- automatic reactions

  private void connect(SimulatedServer server) {
    Socket before = socket;
    if (before != null) {
      world.clock().after(PATIENCE_MILLIS, () -> abandon(before));
    }
    Visit visit = new Visit(id(), server);
    visits.add(visit);
    world.note(() -> this + " connects to " + server);
    Socket opened = new Socket(world, server, this, visit, crowd.nextSocket());
    socket = opened;
    ask(opened);
  }

  /** Gives up a connection that was never accepted and has been replaced. */
  private void abandon(Socket before) {
    Visit visit = before.visit();
    if (visit.isOpen() && !visit.isMember()) {
      before.leave(0);
    }
  }

  private void ask(Socket at) {
    entered = false;
    join = "j" + user + "-" + ids++;
    Visit.Asked asked = new Visit.Asked(last, below(MOST_HISTORY));
    at.visit().asks(join, asked);
    String past = asked.after() == null ? "" : ",\"after\":" + asked.after();
    String device = device().isEmpty() ? "" : ",\"device\":\"" + device() + "\"";
    String data = ",\"data\":{\"of\":\"" + join + "\"}";
    at.send(frame("JOIN", join, "", data + device + past + ",\"history\":" + asked.history()));
    world.note(() ->
        this
            + " asks as "
            + join
            + " behind "
            + (last == null ? "nothing" : named(Frames.id(last))));
  }

  private void send(Socket by, Unseen text) {
    text.behind = join;
    world.note(() -> this + " says " + text.id + " at " + by.visit().server());
    by.send(frame("TEXT", text.id, "text " + text.id, ""));
  }

  private String frame(String type, String id, String text, String more) {
    return "{\"messageType\":\""
        + type
        + "\",\"userId\":\""
        + userId()
        + "\",\"username\":\"user\",\"message\":\""
        + text
        + "\",\"timestamp\":\"2026-11-22T10:00:00Z\",\"messageId\":\""
        + id
        + "\""
        + more
        + "}";
  }

  /** Reconnects after a while, to any server. */
  private void again() {
    if (wanted) {
      world.clock().after(1L + below(400), this::comeBack);
    }
  }

  private void comeBack() {
    if (wanted && socket == null) {
      connect(world.servers().get(below(world.servers().size())));
    }
  }

  // --- frames it receives

  void shown(Socket from, String frame) {
    Visit visit = from.visit();
    if (frame.startsWith("{\"status\"")) {
      refused(visit, frame);
      return;
    }
    String id = Frames.id(frame);
    if (Frames.isSignal(frame)) {
      world.note(() -> visit + " gets " + (Frames.isDrawn(id) ? "a mute" : "the signal " + id));
      world.met().count(What.SIGNALLED);
      visit.signalled(id);
      return;
    }
    if (frame.contains("\"duplicate\":true")) {
      unseen.removeIf(text -> text.id.equals(id));
      world.met().count(What.DUPLICATE);
      return;
    }
    world.note(() -> visit + " is shown " + named(id));
    world.check(
        !Frames.changesAnother(frame),
        () -> visit + " is shown an edit of another user's text: " + frame);
    visit.shown(frame);
    if (isCurrent(visit)) {
      last = frame;
      unseen.removeIf(text -> text.id.equals(id));
    }
    if (visit.asked(id) != null && visit.knownAt(id) == null) {
      enters(from, id);
    }
  }

  @SuppressWarnings("ReferenceEquality") // the identical visit
  private boolean isCurrent(Visit visit) {
    return current() == visit;
  }

  private void enters(Socket from, String id) {
    Visit visit = from.visit();
    visit.entered(id);
    if (!isCurrent(visit)) {
      from.leave(0); // given up, but accepted after all
      return;
    }
    if (!id.equals(join)) {
      return;
    }
    entered = true;
    Visit.Asked asked = visit.asked(id);
    String after = asked == null ? null : asked.after();
    boolean everything = after != null && after.equals(visit.first());
    world.met().count(everything ? What.RESUMED : What.NOT_RESUMED);
    if (!everything) { // it may be in the room; the client cannot know
      giveUp();
    }
    Socket known = socket;
    for (Unseen text : List.copyOf(unseen)) {
      if (known != null && !isBehind(text, join)) {
        send(known, text);
      }
    }
  }

  /** Gives up: later frames of other connections may be shown or not. */
  private void giveUp() {
    for (Unseen text : List.copyOf(unseen)) {
      if (!isFresh(text) && !isBehind(text, join)) {
        unseen.remove(text);
        unknown.add(text.id);
      }
    }
  }

  /** Returns which of its visits sent this JOIN. */
  public int visitOf(String asked) {
    int at = 0;
    while (visits.get(at).asked(asked) == null) {
      at++;
    }
    return at;
  }

  /** Returns whether it gave up a text, which may still be shown at any time. */
  public boolean hasGivenUp(String id) {
    return unknown.contains(id);
  }

  private void refused(Visit visit, String frame) {
    String id = Frames.id(frame);
    world.note(() -> this + " is refused " + frame);
    if (frame.contains("\"MUTED\"")) {
      boolean isOwn = isCurrent(visit) && unseen.removeIf(text -> text.id.equals(id));
      boolean _ = isOwn && unknown.add(id);
      return;
    }
    for (Unseen text : unseen) {
      if (text.id.equals(id)) {
        text.behind = null;
      }
    }
    Socket known = socket;
    if (known != null && isCurrent(visit) && entered) {
      sendFresh(known);
    }
    if (isCurrent(visit) && id.equals(join)) {
      visit.refused();
      join = "";
      world.clock().after(50L + below(400), () -> askAgain(visit));
    }
  }

  private void askAgain(Visit visit) {
    Socket known = socket;
    if (known != null && isCurrent(visit) && join.isEmpty()) {
      ask(known);
    }
  }

  void closed(Visit visit, int code) {
    world.note(() -> this + " is closed with " + code + " by " + visit.server());
    crowd.closed(visit, code);
    if (!isCurrent(visit)) {
      return;
    }
    socket = null;
    entered = false;
    if (code == Crowd.GAP) {
      last = null;
    }
    if (code == Crowd.REMOVED) {
      wanted = false;
      world.met().count(What.REMOVED);
    }
    again();
  }

  private static String named(String id) {
    return Frames.isDrawn(id) ? "a LEAVE" : id;
  }

  @Override
  public String toString() {
    return "user " + user;
  }
}
