package dev.chatflow.client.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.client.engine.UserState.Event;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class UserStateTest {

  /** Sequences of events, and the states of a user that result from them. */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          complete visit         | CONNECT OPENED JOIN JOINED LEAVE LEFT CLOSE ENDED      | CONNECTING OPEN JOINING JOINED LEAVING LEFT CLOSING CLOSED
          refused, then accepted | CONNECT FAILED CONNECT OPENED                          | CONNECTING BACKING_OFF CONNECTING OPEN
          refused until given up | CONNECT FAILED CONNECT GIVEN_UP                        | CONNECTING BACKING_OFF CONNECTING LOST
          JOIN refused once      | CONNECT OPENED JOIN JOIN JOINED                        | CONNECTING OPEN JOINING JOINING JOINED
          JOIN never answered    | CONNECT OPENED JOIN GIVEN_UP                           | CONNECTING OPEN JOINING LOST
          LEAVE and JOIN of mix  | CONNECT OPENED JOIN JOINED PART LEFT JOIN JOINED       | CONNECTING OPEN JOINING JOINED PARTING LEFT REJOINING JOINED
          lost and reconnected   | CONNECT OPENED JOIN JOINED FAILED CONNECT OPENED JOIN JOINED | CONNECTING OPEN JOINING JOINED RETURN_BACKING_OFF RETURN_CONNECTING RETURN_JOINING RETURN_JOINING JOINED
          lost while reconnecting   | CONNECT OPENED JOIN JOINED FAILED CONNECT OPENED FAILED | CONNECTING OPEN JOINING JOINED RETURN_BACKING_OFF RETURN_CONNECTING RETURN_JOINING RETURN_BACKING_OFF
          lost until given up    | CONNECT OPENED JOIN JOINED FAILED GIVEN_UP             | CONNECTING OPEN JOINING JOINED RETURN_BACKING_OFF LOST
          lost while leaving     | CONNECT OPENED JOIN JOINED LEAVE GIVEN_UP              | CONNECTING OPEN JOINING JOINED LEAVING LOST
          closed while trying    | CONNECT CLOSE                                          | CONNECTING CLOSED
          closed before trying   | CLOSE                                                  | CLOSED
          """)
  void eventsLeadThroughTheExpectedStates(String name, String events, String states) {
    UserState at = UserState.NEW;
    List<UserState> passed = new java.util.ArrayList<>();
    for (String event : events.split(" ", -1)) {
      at = at.after(Event.valueOf(event));
      passed.add(at);
    }
    assertThat(passed)
        .as(name)
        .containsExactlyElementsOf(
            Arrays.stream(states.split(" ", -1)).map(UserState::valueOf).toList());
  }

  @Test
  void everyStateIsReachableAndLeadsToAnEndState() {
    assertThat(reachable(UserState.NEW)).containsExactlyInAnyOrder(UserState.values());
    for (UserState state : UserState.values()) {
      assertThat(reachable(state)).as("from %s", state).containsAnyOf(ends());
    }
  }

  private static UserState[] ends() {
    return new UserState[] {UserState.CLOSED, UserState.LOST};
  }

  private static Set<UserState> reachable(UserState from) {
    Set<UserState> seen = EnumSet.of(from);
    Deque<UserState> next = new ArrayDeque<>(seen);
    while (!next.isEmpty()) {
      UserState state = next.remove();
      for (Event event : Event.values()) {
        if (seen.add(state.after(event))) {
          next.add(state.after(event));
        }
      }
    }
    return seen;
  }

  @ParameterizedTest
  @EnumSource(
      value = UserState.class,
      names = {"CLOSED", "LOST"})
  void endStatesAllowNoEvents(UserState end) {
    assertThat(end.isDisconnected()).isTrue();
    assertThat(Event.values())
        .allSatisfy(event -> {
          assertThat(end.allows(event)).isFalse();
          assertThat(end.after(event)).isEqualTo(end);
        });
  }

  @ParameterizedTest
  @EnumSource(UserState.class)
  void disallowedEventsDoNotChangeTheState(UserState state) {
    assertThat(Event.values())
        .filteredOn(event -> !state.allows(event))
        .allSatisfy(event -> assertThat(state.after(event)).isEqualTo(state));
  }

  @ParameterizedTest
  @EnumSource(UserState.class)
  void everyConnectedStateCanBeClosed(UserState state) {
    assertThat(state.allows(Event.CLOSE) || state.isDisconnected() || state == UserState.CLOSING)
        .isTrue();
    if (state.allows(Event.CLOSE)) {
      UserState closed = state.isConnected() ? UserState.CLOSING : UserState.CLOSED;
      assertThat(state.after(Event.CLOSE)).isEqualTo(closed);
    }
  }

  @Test
  void onlyMembersReconnect() {
    assertThat(UserState.values())
        .filteredOn(state -> state.after(Event.FAILED) == UserState.RETURN_BACKING_OFF)
        .containsExactlyInAnyOrder(
            UserState.JOINED,
            UserState.RETURN_BACKING_OFF,
            UserState.RETURN_CONNECTING,
            UserState.RETURN_JOINING)
        .allSatisfy(
            state -> assertThat(state.isComingBack() || state == UserState.JOINED).isTrue());
  }

  @Test
  void stateCategoriesContainTheExpectedStates() {
    is(UserState::isAttempting, "CONNECTING RETURN_CONNECTING");
    is(UserState::isBackingOff, "BACKING_OFF RETURN_BACKING_OFF");
    is(UserState::isAwaitingJoin, "JOINING REJOINING RETURN_JOINING");
    is(UserState::isComingBack, "RETURN_BACKING_OFF RETURN_CONNECTING RETURN_JOINING");
    is(UserState::isRejoining, "PARTING REJOINING");
    is(
        UserState::isConnected,
        "OPEN JOINING JOINED PARTING REJOINING LEAVING LEFT RETURN_JOINING CLOSING");
  }

  private static void is(Predicate<UserState> kind, String names) {
    assertThat(Arrays.stream(UserState.values()).filter(kind).map(Enum::name))
        .containsExactlyInAnyOrder(names.split(" ", -1));
  }
}
