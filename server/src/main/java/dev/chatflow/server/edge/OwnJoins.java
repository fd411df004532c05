package dev.chatflow.server.edge;

import dev.chatflow.message.ClientMessage;
import dev.chatflow.message.MembersFrame;
import dev.chatflow.room.Past;
import dev.chatflow.room.UserDevice;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The JOINs of one connection: the stamp of the newest, whether it is back, and the requests of
 * those that are not back.
 *
 * <p>Guarded by its connection. Bounded by the sender's window, because each is a message in
 * flight.
 */
final class OwnJoins {

  /**
   * The requests of a JOIN.
   *
   * @param names number of member names; {@link MembersFrame#NOT_ASKED} for no list
   */
  record Request(long stamp, Past past, int names) {
    private static final Request NONE = new Request(0, Past.NONE, MembersFrame.NOT_ASKED);

    boolean isNone() {
      return past.isNone() && names == MembersFrame.NOT_ASKED;
    }
  }

  private final ChatConnection connection;

  // Most connections have one or none: an empty list costs them nothing.
  private List<Request> requests = List.of();
  private long stamp;
  private boolean back;
  private String device = "";
  private @Nullable UserDevice pendingUser;

  OwnJoins(ChatConnection connection) {
    this.connection = connection;
  }

  /** Stamps an accepted JOIN. */
  void accepted(ClientMessage join) {
    stamp = connection.context.time().next();
    back = false;
    device = join.request().device();
    pending(new UserDevice(join.userId(), device));
    Past past = join.request().past().atMost(connection.context.config().history());
    Request request = new Request(stamp, past, join.request().members());
    if (!request.isNone()) {
      requests = Stream.concat(requests.stream(), Stream.of(request)).toList();
    }
  }

  /** Notes that the JOIN with this stamp came back; returns its requests. */
  Request cameBack(long joinStamp) {
    if (joinStamp == stamp) {
      back = true;
      pending(null);
    }
    Request request =
        requests.stream()
            .filter(each -> each.stamp() == joinStamp)
            .findFirst()
            .orElse(Request.NONE);
    requests = requests.stream().filter(each -> each.stamp() > joinStamp).toList();
    return request;
  }

  private void pending(@Nullable UserDevice who) {
    if (pendingUser != null) {
      connection.context.joins().remove(connection.room, pendingUser, connection);
    }
    pendingUser = who;
    if (who != null) {
      connection.context.joins().add(connection.room, who, connection);
    }
  }

  /** Returns the stamp of the newest JOIN, 0 before the first. */
  long stamp() {
    return stamp;
  }

  /** Returns the device that the newest JOIN named; empty without one. */
  String device() {
    return device;
  }

  /** Returns whether the newest JOIN came back. */
  boolean isBack() {
    return back;
  }

  /** Returns whether the newest JOIN may still come back. */
  boolean isPending() {
    return pendingUser != null;
  }

  /** Handles the end of the connection. */
  void ended() {
    pending(null);
  }
}
