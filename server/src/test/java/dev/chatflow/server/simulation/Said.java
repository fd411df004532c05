package dev.chatflow.server.simulation;

import dev.chatflow.message.MessageType;
import dev.chatflow.message.line.Line;
import dev.chatflow.shard.Stamp;
import dev.chatflow.shard.window.Window.LineVerdict;
import org.jspecify.annotations.Nullable;

/** A line, and what it is worth. */
record Said(MessageType type, int user, @Nullable Stamp stamp, long idHash, LineVerdict verdict) {

  static Said of(Line.Message line, LineVerdict verdict) {
    return new Said(line.type(), line.userId(), stampOf(line), line.idHash(), verdict);
  }

  static @Nullable Stamp stampOf(Line.Message line) {
    String session = line.session();
    return session == null ? null : new Stamp(line.stamp(), line.serverId(), session);
  }
}
