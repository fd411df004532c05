package dev.chatflow.standalone.record;

import dev.chatflow.message.line.Line;
import dev.chatflow.room.Shard;

/** Keeps what one consumer thread reads. That thread alone calls. */
public interface Recorder {

  /** A message came, for the first time. Its bytes are borrowed: what is kept must be copied. */
  void recorded(Line.Message message);

  /** Messages of a shard may be missing. */
  void gap(Shard shard);
}
