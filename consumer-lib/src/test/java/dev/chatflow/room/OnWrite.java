package dev.chatflow.room;

/** A member whose writes each do some work, on the thread that writes, and are complete then. */
final class OnWrite extends PlainMember {

  private final Runnable work;

  OnWrite(Runnable work) {
    super("x");
    this.work = work;
  }

  @Override
  public void write(LogRange range, Runnable done) {
    work.run();
    done.run();
  }
}
