package dev.chatflow.client.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RoomLedgerTest {
  private static final int MEMBERS = 4;
  private static final int TEXTS = 50;

  private final Findings findings = new Findings();
  private final SenderLog[] logs = new SenderLog[MEMBERS];
  private final RoomLedger ledger;

  RoomLedgerTest() {
    for (int i = 0; i < MEMBERS; i++) {
      logs[i] = new SenderLog(MEMBERS, false);
    }
    ledger = new RoomLedger(9, 36, logs, findings);
    long time = 1;
    for (int joiner = 0; joiner < MEMBERS; joiner++) {
      logs[joiner].append(time, time);
      time++;
      for (int member = 0; member <= joiner; member++) {
        ledger.joinArrived(member, joiner, 1);
      }
      ledger.joined(joiner, time);
      logs[joiner].echoedAt(0, time++);
    }
    for (int seq = 1; seq <= TEXTS; seq++) {
      for (SenderLog log : logs) {
        log.append(time, time);
        log.echoedAt(seq, time + 5);
        time += 10;
      }
    }
  }

  @Test
  void completeRunIsClean() {
    deliverAll(-1, -1, -1);
    ledger.settle();
    assertThat(findings.isClean(Set.of())).isTrue();
  }

  @Test
  void missingCopyIsLostWithItsTimes() {
    deliverAll(2, 1, 30);
    ledger.settle();
    assertThat(findings.count(Defect.LOST)).isEqualTo(1);
    assertThat(findings.count(Defect.UNANSWERED)).isZero();
    assertThat(findings.examples(Defect.LOST))
        .containsExactly(
            new Findings.Example(
                Defect.LOST, 9, 37, 30, 38, logs[1].written(30), logs[1].echoed(30)));
    assertThat(ledger.missing(2)).isEqualTo(1);
  }

  @Test
  void missingLastMessageIsLost() {
    deliverAll(2, 1, TEXTS);
    ledger.settle();
    assertThat(findings.count(Defect.LOST)).isEqualTo(1);
  }

  @Test
  void refusedMessageIsNotRequired() {
    logs[1].refuse(30);
    for (int receiver = 0; receiver < MEMBERS; receiver++) {
      deliver(receiver, 1, 30);
      for (int sender = 0; sender < MEMBERS; sender++) {
        if (sender != 1) {
          deliver(receiver, sender, -1);
        }
      }
    }
    ledger.settle();
    assertThat(findings.isClean(Set.of())).isTrue();
  }

  @Test
  void textsWrittenAfterAReceiverLeftAreNotRequired() {
    ledger.leaves(3, logs[0].written(TEXTS));
    deliverAll(3, 0, TEXTS);
    ledger.settle();
    assertThat(findings.count(Defect.LOST)).isZero();
  }

  @Test
  void textsBetweenLossAndRejoinAreNotRequired() {
    for (int seq = 1; seq <= 20; seq++) {
      ledger.arrived(2, 1, seq);
    }
    for (int receiver = 0; receiver < MEMBERS; receiver++) {
      for (int sender = 0; sender < MEMBERS; sender++) {
        if (receiver != 2 || sender != 1) {
          deliver(receiver, sender, -1);
        }
      }
    }
    ledger.lost(2);
    ledger.joined(2, logs[1].written(40));
    for (int seq = 41; seq <= TEXTS; seq++) {
      ledger.arrived(2, 1, seq); // 21 to 39 are in the gap; 40 is due after the rejoin
    }
    ledger.settle();
    assertThat(
            findings.examples(Defect.LOST).stream()
                .filter(e -> e.receiver() == 38 && e.sender() == 37)
                .map(Findings.Example::seq))
        .containsExactly(40);
  }

  @Test
  void textMissingAfterAResumeIsLost() {
    deliverWithGapForMemberTwo(20);
    ledger.lost(2);
    ledger.resumed(2);
    for (int seq = 21; seq <= TEXTS; seq++) {
      if (seq != 30) {
        ledger.arrived(2, 1, seq);
      }
    }
    ledger.settle();
    assertThat(findings.examples(Defect.LOST))
        .extracting(Findings.Example::seq)
        .containsExactly(30);
    assertThat(ledger.hasResumed(2)).isTrue();
    assertThat(ledger.hasResumed(1)).isFalse();
  }

  @Test
  void duplicatesAndReorderingAfterAResumeAreFound() {
    deliverWithGapForMemberTwo(20);
    ledger.lost(2);
    ledger.resumed(2);
    ledger.arrived(2, 1, 20);
    ledger.arrived(2, 1, 22);
    ledger.arrived(2, 1, 21);
    for (int seq = 23; seq <= TEXTS; seq++) {
      ledger.arrived(2, 1, seq);
    }
    ledger.settle();
    assertThat(findings.count(Defect.DUPLICATE)).isEqualTo(1);
    assertThat(findings.count(Defect.REORDERED)).isEqualTo(1);
    assertThat(findings.count(Defect.LOST)).isZero();
  }

  @Test
  void doubtfulTextWithoutCopiesIsNeitherLostNorUnanswered() {
    doubtfulTextSeenBy(0);
    assertThat(findings.isClean(Set.of())).isTrue();
  }

  @Test
  void doubtfulTextWithSomeCopiesIsPartial() {
    doubtfulTextSeenBy(2);
    assertThat(findings.count(Defect.PARTIAL)).isEqualTo(1);
    assertThat(findings.count(Defect.UNANSWERED)).isZero();
  }

  private void doubtfulTextSeenBy(int members) {
    deliverAll(-1, -1, -1);
    int seq = logs[3].append(1_000, 1_000);
    logs[3].doubt(seq);
    for (int member = 0; member < members; member++) {
      ledger.arrived(member, 3, seq);
    }
    ledger.settle();
  }

  /** Delivers everything, except that member 2 gets only the first texts of member 1. */
  private void deliverWithGapForMemberTwo(int first) {
    for (int receiver = 0; receiver < MEMBERS; receiver++) {
      for (int sender = 0; sender < MEMBERS; sender++) {
        if (receiver != 2 || sender != 1) {
          deliver(receiver, sender, -1);
        }
      }
    }
    for (int seq = 1; seq <= first; seq++) {
      ledger.arrived(2, 1, seq);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13, 14, 15, 16, 17, 18})
  void randomStreamsCountLikeASimpleModel(long seed) {
    Random random = new Random(seed);
    Map<Defect, Long> model = new EnumMap<>(Defect.class);
    for (int receiver = 0; receiver < MEMBERS; receiver++) {
      for (int sender = 0; sender < MEMBERS; sender++) {
        List<Integer> stream = disturbed(random);
        countInto(model, stream);
        for (int seq : stream) {
          ledger.arrived(receiver, sender, seq);
        }
      }
    }
    ledger.settle();
    for (Defect defect : List.of(Defect.LOST, Defect.DUPLICATE, Defect.REORDERED)) {
      assertThat(findings.count(defect)).as("%s", defect).isEqualTo(model.getOrDefault(defect, 0L));
    }
  }

  private static List<Integer> disturbed(Random random) {
    List<Integer> stream = new ArrayList<>();
    for (int seq = 1; seq <= TEXTS; seq++) {
      if (random.nextInt(15) != 0) {
        stream.add(seq);
      }
      if (random.nextInt(15) == 0) {
        stream.add(seq);
      }
    }
    for (int i = 0; i < 5; i++) {
      int at = random.nextInt(stream.size() - 1);
      Collections.swap(stream, at, at + 1);
    }
    return stream;
  }

  private static void countInto(Map<Defect, Long> model, List<Integer> stream) {
    List<Integer> before = new ArrayList<>();
    for (int seq : stream) {
      if (before.contains(seq)) {
        model.merge(Defect.DUPLICATE, 1L, Long::sum);
      } else {
        if (before.stream().anyMatch(other -> other > seq)) {
          model.merge(Defect.REORDERED, 1L, Long::sum);
        }
        before.add(seq);
      }
    }
    model.merge(Defect.LOST, (long) TEXTS - before.size(), Long::sum);
  }

  private void deliverAll(int exceptReceiver, int exceptSender, int exceptSeq) {
    for (int receiver = 0; receiver < MEMBERS; receiver++) {
      for (int sender = 0; sender < MEMBERS; sender++) {
        boolean except = receiver == exceptReceiver && sender == exceptSender;
        deliver(receiver, sender, except ? exceptSeq : -1);
      }
    }
  }

  private void deliver(int receiver, int sender, int except) {
    for (int seq = 1; seq <= TEXTS; seq++) {
      if (seq != except) {
        ledger.arrived(receiver, sender, seq);
      }
    }
  }
}
