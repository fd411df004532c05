package dev.chatflow.consumer.audit;

import java.util.Locale;

/**
 * Every key of the standalone consumer's configuration with its default: the one place that names
 * them.
 *
 * <p>A key is read from its option, else from the system property {@code
 * chatflow.consumer.room.bytes}, else from the environment as {@code CHATFLOW_CONSUMER_ROOM_BYTES}.
 */
enum AuditKey {
  AMQP_URI("CHATFLOW_AMQP_URI", "--broker", "amqp://localhost:5672", "the servers' broker"),
  SHARDS(
      "CHATFLOW_SHARDS",
      "--shards",
      "4",
      "parts into which all rooms are divided, as on the servers"),
  PORT(
      "CHATFLOW_CONSUMER_PORT",
      "--port",
      "8082",
      "port of health, metrics and queries; 0 takes a free one"),
  ADDRESS(
      "CHATFLOW_CONSUMER_ADDRESS",
      "--address",
      "127.0.0.1",
      "address it listens on; 0.0.0.0 opens it to the network"),
  QUEUES(
      "CHATFLOW_CONSUMER_QUEUES",
      "--queues",
      "2",
      "queues `chat.audit.n`, each with a thread and a channel; at most SHARDS"),
  PREFETCH(
      "CHATFLOW_CONSUMER_PREFETCH",
      "--prefetch",
      "64",
      "unacknowledged AMQP messages per channel, 1 to 1000"),
  RECORD_BYTES(
      "CHATFLOW_CONSUMER_RECORD_BYTES",
      "--record-bytes",
      "64MiB",
      "messages kept, in heap; beyond it the oldest go"),
  ROOM_BYTES(
      "CHATFLOW_CONSUMER_ROOM_BYTES",
      "--room-bytes",
      "4MiB",
      "messages kept of one room; beyond it the room's oldest go"),
  SENDERS(
      "CHATFLOW_CONSUMER_SENDERS",
      "--senders",
      "100000",
      "pairs of room and sender that are counted; messages of further ones are counted as such");

  private final String environmentName;
  private final String option;
  private final String defaultText;
  private final String meaning;

  AuditKey(String environmentName, String option, String defaultText, String meaning) {
    this.environmentName = environmentName;
    this.option = option;
    this.defaultText = defaultText;
    this.meaning = meaning;
  }

  String environmentName() {
    return environmentName;
  }

  /** Such as {@code chatflow.consumer.room.bytes}. */
  String propertyName() {
    return environmentName.toLowerCase(Locale.ROOT).replace('_', '.');
  }

  String option() {
    return option;
  }

  String defaultText() {
    return defaultText;
  }

  String meaning() {
    return meaning;
  }
}
