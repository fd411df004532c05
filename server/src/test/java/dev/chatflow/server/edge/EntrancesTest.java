package dev.chatflow.server.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.message.MembersFrame;
import dev.chatflow.room.Past;
import org.junit.jupiter.api.Test;

class EntrancesTest {

  private static final Past FIVE = new Past(null, 5);
  private static final Past SIX = new Past(null, 6);

  private final Entrances entrances = new Entrances();

  @Test
  void nothingIsAskedForAtFirst() {
    assertThat(entrances.past()).isEqualTo(Past.NONE);
  }

  @Test
  void eachJoinThatComesBackHasItsOwnPast() {
    entrances.ask(1, FIVE, MembersFrame.NOT_ASKED);
    entrances.ask(2, Past.NONE, MembersFrame.NOT_ASKED);
    entrances.ask(3, SIX, MembersFrame.NOT_ASKED);

    entrances.cameBack(1);
    assertThat(entrances.past()).isEqualTo(FIVE);
    entrances.cameBack(2);
    assertThat(entrances.past()).isEqualTo(Past.NONE);
    entrances.cameBack(3);
    assertThat(entrances.past()).isEqualTo(SIX);
  }

  @Test
  void joinThatNeverCameBackLeavesNothingBehind() {
    entrances.ask(1, FIVE, MembersFrame.NOT_ASKED);
    entrances.ask(2, SIX, MembersFrame.NOT_ASKED);

    entrances.cameBack(2);
    assertThat(entrances.past()).isEqualTo(SIX);
    entrances.cameBack(7);
    assertThat(entrances.past()).isEqualTo(Past.NONE);
  }

  @Test
  void eachJoinSaysHowManyNamesItWants() {
    entrances.ask(1, Past.NONE, 200);
    entrances.ask(2, Past.NONE, MembersFrame.NOT_ASKED);

    assertThat(entrances.names()).isEqualTo(MembersFrame.NOT_ASKED);
    entrances.cameBack(1);
    assertThat(entrances.names()).isEqualTo(200);
    entrances.cameBack(2);
    assertThat(entrances.names()).isEqualTo(MembersFrame.NOT_ASKED);
  }
}
