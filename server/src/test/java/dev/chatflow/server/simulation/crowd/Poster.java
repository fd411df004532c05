package dev.chatflow.server.simulation.crowd;

import dev.chatflow.message.ClientMessage;
import dev.chatflow.message.MessageType;
import dev.chatflow.server.edge.Post;
import dev.chatflow.server.simulation.plan.Dice.Channel;
import dev.chatflow.server.simulation.world.Clock;
import dev.chatflow.server.simulation.world.SimulatedServer;
import dev.chatflow.server.simulation.world.World;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A program that posts texts over HTTP and repeats each one until it knows that it was shown. */
public final class Poster {

  /** The user it posts as. */
  public static final String USER = "p";

  /** A request without an answer for this long counts as failed. */
  private static final long PATIENCE_MILLIS = 15_000;

  private static final int MOST_ATTEMPTS = 8;
  private static final String TIME = "2026-11-22T10:00:00Z";

  /** One request. */
  public static final class Attempt {
    private final String text;
    private @Nullable String connectionId;
    private Post.@Nullable Outcome outcome;
    private boolean over;

    private Attempt(String text) {
      this.text = text;
    }

    ClientMessage message() {
      return new ClientMessage(MessageType.TEXT, USER, "poster", "text " + text, TIME, text);
    }

    /** Returns the id of its line in the log; null if it was not accepted. */
    public @Nullable String connectionId() {
      return connectionId;
    }

    /** Returns the answer to its client; null if there was none. */
    public Post.@Nullable Outcome outcome() {
      return outcome;
    }

    @Override
    public String toString() {
      return "post " + text + " as " + connectionId + ", told " + outcome;
    }
  }

  private final World world;
  private final List<Attempt> attempts = new ArrayList<>();
  private int texts;
  private int open;
  private long drawn;

  Poster(World world) {
    this.world = world;
  }

  public List<Attempt> attempts() {
    return attempts;
  }

  boolean isSettled() {
    return open == 0;
  }

  void post(SimulatedServer server) {
    open++;
    ask("p9-" + texts++, server, 1);
  }

  private void ask(String text, SimulatedServer server, int number) {
    Attempt attempt = new Attempt(text);
    attempts.add(attempt);
    world.note(() -> "posts " + text + " at " + server);
    server.later(Clock.MILLI, () -> ((Edge) server.guests()).post(attempt, this, number));
    world
        .clock()
        .after(
            PATIENCE_MILLIS,
            () -> {
              if (!attempt.over) {
                ended(attempt, number);
              }
            });
  }

  /** Notes the id of its line. */
  void taken(Attempt attempt, String connectionId) {
    attempt.connectionId = connectionId;
  }

  /**
   * Notes its answer.
   *
   * @param outcome null if it was rejected
   */
  void told(Attempt attempt, Post.@Nullable Outcome outcome, int number) {
    if (!attempt.over) {
      attempt.outcome = outcome;
      world.note(() -> attempt.toString());
      ended(attempt, number);
    }
  }

  private void ended(Attempt attempt, int number) {
    attempt.over = true;
    boolean isDecided =
        attempt.outcome == Post.Outcome.SHOWN || attempt.outcome == Post.Outcome.REFUSED;
    if (isDecided || number == MOST_ATTEMPTS) {
      open--;
    } else {
      world
          .clock()
          .after(
              1L + below(400),
              () -> {
                SimulatedServer next = world.servers().get(below(world.servers().size()));
                ask(attempt.text, next, number + 1);
              });
    }
  }

  private int below(int bound) {
    return world.dice().below(bound, Channel.POSTER, drawn++);
  }
}
