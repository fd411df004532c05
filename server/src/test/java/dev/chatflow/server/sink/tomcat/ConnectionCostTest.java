package dev.chatflow.server.sink.tomcat;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ConnectionCostTest {

  @Test
  void defaultContainerLogsTheCostOfAConnectionAndAdvice() {
    assertThat(new ConnectionCost(8_192, 8_192, false, 8_192).advice(false))
        .hasValue(
            "an idle connection costs about 32 KiB of heap, and 9 KiB with"
                + " socket.appReadBufSize=\"512\" at the connector,"
                + " socket.appWriteBufSize=\"512\" at the connector,"
                + " -Dorg.apache.tomcat.websocket.DEFAULT_BUFFER_SIZE=512 for the JVM");
  }

  @Test
  void onlyTooLargeValuesAreNamed() {
    assertThat(new ConnectionCost(512, 512, false, 8_192).advice(false))
        .hasValue(
            "an idle connection costs about 17 KiB of heap, and 9 KiB with"
                + " -Dorg.apache.tomcat.websocket.DEFAULT_BUFFER_SIZE=512 for the JVM");
  }

  @Test
  void noAdviceWhereNothingCanBeGained() {
    assertThat(new ConnectionCost(512, 512, false, 512).advice(false)).isEmpty();
    assertThat(new ConnectionCost(256, 512, false, 192).advice(false)).isEmpty();
    assertThat(new ConnectionCost(600, 600, false, 512).advice(false)).isEmpty();
  }

  /** Smaller than a text, they would split texts into fragments. */
  @Test
  void portableSinkKeepsItsFrameBuffers() {
    assertThat(new ConnectionCost(512, 512, false, 8_192).advice(true)).isEmpty();
    assertThat(new ConnectionCost(8_192, 512, false, 8_192).advice(true))
        .hasValueSatisfying(line -> assertThat(line).doesNotContain("DEFAULT_BUFFER_SIZE"));
  }

  /** Its buffers cannot be smaller: a TLS record must be complete before it is read. */
  @Test
  void tlsIsPartOfTheCostAndNothingToAdviseOn() {
    ConnectionCost plain = new ConnectionCost(512, 512, false, 512);
    ConnectionCost encrypted = new ConnectionCost(512, 512, true, 512);
    assertThat(encrypted.bytes(false)).isGreaterThan(plain.bytes(false) + 4 * 16_384);
    assertThat(encrypted.advice(false)).isEmpty();
  }
}
