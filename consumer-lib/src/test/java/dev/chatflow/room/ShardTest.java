package dev.chatflow.room;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShardTest {

  @Test
  void twentyRoomsFillFourShardsWithFiveEach() {
    int[] rooms = new int[4];
    IntStream.rangeClosed(1, 20).forEach(i -> rooms[shardOf(Integer.toString(i), 4)]++);

    assertThat(rooms).containsExactly(5, 5, 5, 5);
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "7, 3", "999999999, 3", "123456789, 1"})
  void decimalIdBelongsToItsValueModuloShards(String id, int shard) {
    assertThat(shardOf(id, 4)).isEqualTo(shard);
  }

  /** The sums are those of any CRC-32, such as zlib's. */
  @ParameterizedTest
  @CsvSource({
    "lobby, 3437516279",
    "Lobby, 220560115",
    "-_, 2586248309",
    "00, 3091600544",
    "007, 3167858558",
    "1234567890, 639479525"
  })
  void anyOtherIdBelongsToItsCrc32ModuloShards(String id, long crc) {
    assertThat(shardOf(id, 4)).isEqualTo((int) (crc % 4));
    assertThat(shardOf(id, 1_000_003)).isEqualTo((int) (crc % 1_000_003));
  }

  @Test
  void leadingZeroMakesAnotherRoom() {
    assertThat(shardOf("7", 1_000_003)).isNotEqualTo(shardOf("007", 1_000_003));
  }

  @Test
  void indexIsNotNegative() {
    assertThatThrownBy(() -> new Shard(-1)).isInstanceOf(IllegalArgumentException.class);
  }

  private static int shardOf(String id, int shards) {
    return Shard.of(new RoomId(id), shards).index();
  }
}
