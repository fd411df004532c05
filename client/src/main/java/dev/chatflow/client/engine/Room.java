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
 * The users of one room who are played here, with the books of the room.
 *
 * <p>Belongs to one load thread. Calls go from the room to its users, and from these to the books.
 */
final class Room {
  private final int number;
  private final List<Member> members;
  private final List<User> users;
  private final RoomBook book;
  private final Barrier barrier;

  /** A room of users that did nothing yet; room numbers begin at 1. */
  Room(LoadContext context, int number) {
    this.number = number;
    Plan plan = context.plan;
    int firstUser = (number - 1) * plan.workload().roomSize();
    boolean keepsAll = context.run.trace().keepsMessages() || !plan.judging().isExact();
    members =
        IntStream.range(plan.firstPlace(), plan.firstPlace() + plan.places())
            .mapToObj(place -> new Member(plan, number, place, firstUser + place, keepsAll))
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

  /** One step of the join barrier; true when everybody who can has joined. */
  boolean joinTick(long now) {
    return barrier.joinTick(now, book.present());
  }

  /** One step of the leave barrier; true when nobody is left. */
  boolean leaveTick(long now) {
    return barrier.leaveTick(now, book.present());
  }

  /** Whether nothing more is required, and no user is busy. */
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

  /** Judges what is absent. */
  void settle() {
    book.settle();
  }

  Stream<ConnectionFigures> connections() {
    return members.stream().map(member -> member.connection(firstDueNanos()));
  }

  Stream<SenderFigures> senders() {
    return members.stream().map(Member::sent);
  }

  /** In which order the members saw the room's messages, if that was kept. */
  Stream<RoomFigures.Seen> order() {
    return book.order();
  }

  RoomFigures figures() {
    return book.figures();
  }
}
