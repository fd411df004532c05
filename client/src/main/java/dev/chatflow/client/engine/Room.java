package dev.chatflow.client.engine;

import dev.chatflow.client.plan.Plan;
import dev.chatflow.client.record.ConnectionFigures;
import dev.chatflow.client.record.RoomFigures;
import dev.chatflow.client.record.SenderFigures;
import dev.chatflow.client.verify.RoomLedger;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The users of one room that are played here, with the bookkeeping of the room.
 *
 * <p>Belongs to one load thread. Calls go from the room to its users, and from these to the
 * bookkeeping.
 */
final class Room {
  private final int number;
  private final List<Member> members;
  private final List<User> users;
  private final RoomBook book;
  private final Barrier barrier;
  private int signalTurn;

  /** Creates a room with new users; room numbers begin at 1. */
  Room(LoadContext context, int number) {
    this.number = number;
    Plan plan = context.plan;
    int firstUser = (number - 1) * plan.workload().roomSize();
    boolean keepsAll = context.run.trace().keepsMessages() || !plan.judging().isExact();
    members =
        IntStream.range(plan.firstIndex(), plan.firstIndex() + plan.usersHere())
            .mapToObj(
                roomIndex -> new Member(plan, number, roomIndex, firstUser + roomIndex, keepsAll))
            .toList();
    book = new RoomBook(context, number, members);
    users = members.stream().map(member -> new User(context, book, member)).toList();
    barrier = new Barrier(users, book.turn(), plan.connecting().timeout());
  }

  int number() {
    return number;
  }

  List<User> users() {
    return users;
  }

  RoomLedger ledger() {
    return book.ledger();
  }

  /** Writes a signal of the next member that can write, if any can. */
  void signal(long dueNanos) {
    boolean written = false;
    for (int tried = 0; !written && tried < users.size(); tried++) {
      written = users.get(signalTurn).signal(dueNanos);
      signalTurn = (signalTurn + 1) % users.size();
    }
  }

  /** Runs one step of the join barrier; returns true when all possible users have joined. */
  boolean joinTick(long now) {
    return barrier.joinTick(now, book.present());
  }

  /** Runs one step of the leave barrier; returns true when all have left. */
  boolean leaveTick(long now) {
    return barrier.leaveTick(now, book.present());
  }

  /** Returns whether nothing is outstanding and no user is busy. */
  boolean isDrained(long now) {
    return book.isDrained(now) && users.stream().noneMatch(User::isBusy);
  }

  long lastProgressNanos() {
    return book.meter().lastProgressNanos();
  }

  long firstDueNanos() {
    return book.meter().firstDueNanos();
  }

  long lastDeliveryNanos() {
    return book.meter().lastDeliveryNanos();
  }

  /** Judges missing copies. */
  void settle() {
    book.settle();
  }

  Stream<ConnectionFigures> connections() {
    return members.stream().map(member -> member.connection(firstDueNanos()));
  }

  Stream<SenderFigures> senders() {
    return members.stream().map(Member::sent);
  }

  /** Returns the order in which the members received the room's messages, if it was kept. */
  Stream<RoomFigures.SeenMessage> order() {
    return book.order();
  }

  RoomFigures figures() {
    return book.figures();
  }
}
