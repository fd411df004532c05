package dev.chatflow.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.log.Arrival.Content;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class InboxTest {

  private static final int PREFETCH = 64;

  private final AtomicInteger woken = new AtomicInteger();
  private final Inbox inbox = new Inbox(PREFETCH, woken::incrementAndGet);

  @Test
  void chunkMayReachBeyondThePrefetch() {
    put(1, PREFETCH + Inbox.CHUNK_ENTRIES);
    assertThat(inbox.ended()).isNull();
    for (long tag = 1; tag <= PREFETCH + Inbox.CHUNK_ENTRIES; tag++) {
      Arrival next = inbox.poll();
      assertThat(next).isNotNull();
      assertThat(next.tag()).isEqualTo(tag);
    }
    assertThat(inbox.isEmpty()).isTrue();
  }

  @Test
  void brokerThatContinuesEndsTheReadingWithoutAGap() {
    put(1, PREFETCH + Inbox.CHUNK_ENTRIES + 1);
    assertThat(inbox.ended()).isEqualTo("the broker delivers beyond the prefetch");
    assertThat(inbox.poll()).isNotNull();
    put(PREFETCH + Inbox.CHUNK_ENTRIES + 2, PREFETCH + Inbox.CHUNK_ENTRIES + 2);
    int left = 0;
    while (inbox.poll() != null) {
      left++;
    }
    assertThat(left).as("nothing enters behind what was lost").isEqualTo(PREFETCH + 4_095);
  }

  @Test
  void everyChangeWakesTheReader() {
    put(1, 2);
    inbox.end("channel closed");
    assertThat(woken).hasValue(3);
    assertThat(inbox.ended()).isEqualTo("channel closed");
  }

  private void put(long first, long last) {
    for (long tag = first; tag <= last; tag++) {
      inbox.put(new Arrival(tag, tag, null, 0, Content.NOTHING, new byte[0], 0));
    }
  }
}
