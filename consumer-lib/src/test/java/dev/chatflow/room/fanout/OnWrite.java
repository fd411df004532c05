package dev.chatflow.room.fanout;

import dev.chatflow.room.CloseReason;
import dev.chatflow.room.Member;
import dev.chatflow.room.log.FrameSink;
import dev.chatflow.room.log.LogRange;
import dev.chatflow.room.log.Past;

/** A member whose writes each do this work, on the thread that writes, and are complete then. */
record OnWrite(Runnable work) implements Member, FrameSink {

  @Override
  public String session() {
    return "x";
  }

  @Override
  public FrameSink sink() {
    return this;
  }

  @Override
  public void write(LogRange range, Runnable done) {
    work.run();
    done.run();
  }

  @Override
  public boolean isClosed() {
    return false;
  }

  @Override
  public void close(CloseReason reason) {}

  @Override
  public Past past() {
    return Past.NONE;
  }

  @Override
  public void entered() {}

  @Override
  public void tellAside(byte[] frame) {}

  @Override
  public void pauseWhileBehind(boolean behind) {}
}
