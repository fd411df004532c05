package dev.chatflow.room;

/** A connection and its sink in one, open forever, which ignores all calls. */
public abstract class PlainMember implements Member, FrameSink {

  private final String connectionId;

  protected PlainMember(String connectionId) {
    this.connectionId = connectionId;
  }

  @Override
  public String connectionId() {
    return connectionId;
  }

  @Override
  public FrameSink sink() {
    return this;
  }

  @Override
  public boolean isClosed() {
    return false;
  }

  @Override
  public void entered() {}

  @Override
  public void sendPrivately(byte[] frame) {}

  @Override
  public void close(CloseReason reason) {}

  @Override
  public void pauseWhileBehind(boolean behind) {}
}
