package dev.chatflow.client.engine;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The state of a user: its connection and its membership. {@link #TABLE} is the complete state
 * machine; {@link User} has the actions of transitions.
 */
enum UserState {
  /** Initial state. */
  NEW,
  /** A first connection is being opened. */
  CONNECTING,
  /** The attempt failed; another one follows. */
  BACKING_OFF,
  /** Connected, and no JOIN written. */
  OPEN,
  /** The first JOIN is written. */
  JOINING,
  JOINED,
  /** A LEAVE is written that a JOIN will follow, as the mix of types requires. */
  PARTING,
  /** That JOIN is written. */
  REJOINING,
  /** The last LEAVE is written. */
  LEAVING,
  LEFT,
  /** A member lost its connection; another attempt follows. */
  RETURN_BACKING_OFF,
  RETURN_CONNECTING,
  RETURN_JOINING,
  /** The client's close frame is written. */
  CLOSING,
  CLOSED,
  /** No connection and no further attempt. */
  LOST;

  /** The events of a user. */
  enum Event {
    /** An attempt starts. */
    CONNECT,
    /** The upgrade was accepted. */
    OPENED,
    /** The attempt failed or the connection ended; another attempt is planned. */
    FAILED,
    /** The attempt failed or the connection ended; no other attempt is planned. */
    GIVEN_UP,
    /** A JOIN is written. */
    JOIN,
    /** The user's JOIN arrived. */
    JOINED,
    /** A LEAVE is written that a JOIN will follow. */
    PART,
    /** The last LEAVE is written. */
    LEAVE,
    /** The user's LEAVE arrived. */
    LEFT,
    /** The client closes the connection, if any. */
    CLOSE,
    /** The closed connection ended. */
    ENDED
  }

  /** Rows are states, columns are events; {@code -} ignores the event. */
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

  /** Returns the next state; the same state if the event is ignored. */
  UserState after(Event event) {
    return of(this).getOrDefault(event, this);
  }

  /** Returns whether the state reacts to the event. */
  boolean allows(Event event) {
    return of(this).containsKey(event);
  }

  private static Map<Event, UserState> of(UserState state) {
    return NEXT.getOrDefault(state, Map.of());
  }

  /** Returns whether the user is neither connected nor about to connect. */
  boolean isDisconnected() {
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

  /** Returns whether the user is between a lost connection and its next membership. */
  boolean isComingBack() {
    return COMING_BACK.contains(this);
  }

  /** Returns whether the user is between a LEAVE and the JOIN that follows it. */
  boolean isRejoining() {
    return REJOINS.contains(this);
  }

  boolean isConnected() {
    return this != NEW && !isDisconnected() && !isAttempting() && !isBackingOff();
  }
}
