package dev.chatflow.lab.hall;

import jakarta.websocket.CloseReason;
import jakarta.websocket.Endpoint;
import jakarta.websocket.EndpointConfig;
import jakarta.websocket.MessageHandler;
import jakarta.websocket.Session;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A connection to a hall: its first text joins, each further one is shown as it is. */
final class HallEndpoint extends Endpoint implements MessageHandler.Whole<String> {

  private final Hall hall;
  private @Nullable Session session;
  private Hall.@Nullable Seat seat;

  HallEndpoint(Hall hall) {
    this.hall = hall;
  }

  @Override
  public void onOpen(Session opened, EndpointConfig config) {
    session = opened;
    opened.addMessageHandler(String.class, this);
  }

  @Override
  public void onMessage(String text) {
    Hall.Seat taken = seat;
    if (taken == null) {
      Session own = Objects.requireNonNull(session);
      seat = hall.join(own, String.valueOf(own.getPathParameters().get("roomId")), text);
    } else {
      taken.say(text);
    }
  }

  @Override
  public void onClose(Session closed, CloseReason reason) {
    if (seat != null) {
      seat.leave();
    }
  }

  @Override
  public void onError(Session failed, Throwable failure) {
    // The close follows.
  }
}
