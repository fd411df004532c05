package dev.chatflow.chat.cli;

import dev.chatflow.chat.Listener;
import dev.chatflow.chat.Message;
import dev.chatflow.chat.People;
import dev.chatflow.chat.Room;
import dev.chatflow.chat.State;
import java.util.concurrent.CompletableFuture;

/** Prints the events of a room. */
final class Visit implements Listener {

  private final Screen screen;
  private final Runnable stopped;
  private final CompletableFuture<String> arrival = new CompletableFuture<>();
  private boolean isAway; // used by the room's thread

  /**
   * Prints to this screen.
   *
   * @param stopped called when the room will not reconnect
   */
  Visit(Screen screen, Runnable stopped) {
    this.screen = screen;
    this.stopped = stopped;
  }

  /** Waits for the first result: empty when the user is in the room, else the problem. */
  String awaitArrival() {
    return arrival.join();
  }

  @Override
  public void message(Room room, Message message) {
    screen.message(message);
  }

  @Override
  public void people(Room room, People.Change change) {
    change.joined().forEach(user -> screen.print("* " + user.name() + " JOIN"));
    change.left().forEach(user -> screen.print("* " + user.name() + " LEAVE"));
  }

  @Override
  public void gap(Room room, Room.Gap gap) {
    screen.print("* some messages may be missing here");
  }

  @Override
  public void state(Room room, State state) {
    switch (state) {
      case State.Here here -> {
        arrival.complete("");
        if (isAway) {
          screen.print("* online again, server " + here.server());
        }
        isAway = false;
      }
      case State.Waiting waiting when !arrival.complete(waiting.why()) && !isAway -> {
        isAway = true;
        screen.print("* offline: " + waiting.why());
      }
      case State.Stopped stop -> {
        arrival.complete("");
        int closed = stop.closeCode();
        screen.print("! " + (closed == 0 ? stop.code() : closed) + " " + stop.why());
        stopped.run();
      }
      default -> {}
    }
  }
}
