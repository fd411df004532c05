package dev.chatflow.client.engine;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Where a user stands: its connection and its membership in one. {@link #TABLE} is the whole
 * machine; what a user does at a transition stands in {@link User}.
 */
enum UserState {
  /** Nothing happened yet. */
  NEW,
  /** An attempt of somebody who was never a member is under way. */
  CONNECTING,
  /** It failed; another one follows. */
  BACKING_OFF,
  /** Connected, and no JOIN written. */
  OPEN,
  /** The first JOIN is written. */
  JOINING,
  JOINED,
  /** A LEAVE is written that a JOIN will follow, as the mix of types wants it. */
  PARTING,
  /** That JOIN is written. */
  REJOINING,
  /** The last LEAVE is written. */
  LEAVING,
  LEFT,
  /** A member lost its connection; an attempt to come back follows. */
  RETURN_BACKING_OFF,
  RETURN_CONNECTING,
  RETURN_JOINING,
  /** Our close frame is written. */
  CLOSING,
  CLOSED,
  /** Without a connection, and without a further attempt. */
  LOST;

  /** What happens to a user. */
  enum Event {
    /** An attempt starts. */
    CONNECT,
    /** The upgrade was accepted. */
    OPENED,
    /** The attempt failed or the connection ended, and another attempt is planned. */
    FAILED,
    /** The same, and none is planned. */
    GIVEN_UP,
    /** A JOIN is written. */
    JOIN,
    /** The own JOIN came back. */
    JOINED,
    /** A LEAVE is written that a JOIN will follow. */
    PART,
    /** The last LEAVE is written. */
    LEAVE,
    /** The own LEAVE came back. */
    LEFT,
    /** The connection, if any, is closed by us. */
    CLOSE,
    /** It ended after that. */
    ENDED
  }

  /** Rows are states, columns events; {@code -}: the event means nothing there. */
  private static final String TABLE =
      """
      STATE              CONNECT           OPENED         FAILED             GIVEN_UP JOIN           JOINED PART    LEAVE   LEFT CLOSE   ENDED
      NEW                CONNECTING        -              -                  -        -              -      -       -       -    CLOSED  -
      CONNECTING         -                 OPEN           BACKING_OFF        LOST     -              -      -       -       -    CLOSED  -
      BACKING_OFF        CONNECTING        -              -                  LOST     -              -      -       -       -    CLOSED  -
      OPEN               -                 -              -                  LOST     JOINING        -      -       -       -    CLOSING -
      JOINING            -                 -              -                  LOST     JOINING        JOINED -       -       -    CLOSING -
      JOINED             -                 -              RETURN_BACKING_OFF LOST     -              -      PARTING LEAVING -    CLOSING -
      PARTING            -                 -              -                  LOST     -              -      -       -       LEFT CLOSING -
      REJOINING          -                 -              -                  LOST     REJOINING      JOINED -       -       -    CLOSING -
      LEAVING            -                 -              -                  LOST     -              -      -       -       LEFT CLOSING -
      LEFT               -                 -              -                  LOST     REJOINING      -      -       -       -    CLOSING -
      RETURN_BACKING_OFF RETURN_CONNECTING -              -                  LOST     -              -      -       -       -    CLOSED  -
      RETURN_CONNECTING  -                 RETURN_JOINING RETURN_BACKING_OFF LOST     -              -      -       -       -    CLOSED  -
      RETURN_JOINING     -                 -              RETURN_BACKING_OFF LOST     RETURN_JOINING JOINED -       -       -    CLOSING -
      CLOSING            -                 -              -                  -        -              -      -       -       -    -       CLOSED
      CLOSED             -                 -              -                  -        -              -      -       -       -    -       -
      LOST               -                 -              -                  -        -              -      -       -       -    -       -
      """;

  private static final Map<UserState, Map<Event, UserState>> NEXT = read();
  private static final Set<UserState> GONE = EnumSet.of(CLOSED, LOST);
  private static final Set<UserState> ATTEMPTING = EnumSet.of(CONNECTING, RETURN_CONNECTING);
  private static final Set<UserState> BACKING = EnumSet.of(BACKING_OFF, RETURN_BACKING_OFF);
  private static final Set<UserState> AWAITING_JOIN =
      EnumSet.of(JOINING, REJOINING, RETURN_JOINING);
  private static final Set<UserState> COMING_BACK =
      EnumSet.of(RETURN_BACKING_OFF, RETURN_CONNECTING, RETURN_JOINING);
  private static final Set<UserState> REJOINS = EnumSet.of(PARTING, REJOINING);

  private static Map<UserState, Map<Event, UserState>> read() {
    List<List<String>> rows =
        TABLE.lines().map(line -> Arrays.asList(line.split(" +", -1))).toList();
    Map<UserState, Map<Event, UserState>> next = new EnumMap<>(UserState.class);
    for (List<String> row : rows.subList(1, rows.size())) {
      Map<Event, UserState> events = new EnumMap<>(Event.class);
      for (int i = 1; i < row.size(); i++) {
        if (!row.get(i).equals("-")) {
          events.put(Event.valueOf(rows.getFirst().get(i)), valueOf(row.get(i)));
        }
      }
      next.put(valueOf(row.getFirst()), events);
    }
    return next;
  }

  /** Where the event leads; here when it means nothing here. */
  UserState after(Event event) {
    return of(this).getOrDefault(event, this);
  }

  /** Whether the event means something here. */
  boolean allows(Event event) {
    return of(this).containsKey(event);
  }

  private static Map<Event, UserState> of(UserState state) {
    return NEXT.getOrDefault(state, Map.of());
  }

  /** Neither connected nor about to be. */
  boolean isGone() {
    return GONE.contains(this);
  }

  boolean isAttempting() {
    return ATTEMPTING.contains(this);
  }

  boolean isBackingOff() {
    return BACKING.contains(this);
  }

  boolean isAwaitingJoin() {
    return AWAITING_JOIN.contains(this);
  }

  /** Between a lost connection and the next membership. */
  boolean isComingBack() {
    return COMING_BACK.contains(this);
  }

  /** Between a LEAVE and the JOIN that follows it. */
  boolean isRejoining() {
    return REJOINS.contains(this);
  }

  boolean isConnected() {
    return this != NEW && !isGone() && !isAttempting() && !isBackingOff();
  }
}
