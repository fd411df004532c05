package dev.chatflow.room;

/** A member whose writes run some work on the writing thread, and then complete. */
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
