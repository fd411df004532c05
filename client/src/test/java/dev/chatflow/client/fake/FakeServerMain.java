package dev.chatflow.client.fake;

import java.util.concurrent.CountDownLatch;

/** Runs a fake server until it is killed and prints its URL. */
final class FakeServerMain {
  private FakeServerMain() {}

  public static void main(String[] arguments) throws InterruptedException {
    try (FakeServer server = FakeServer.start()) {
      System.out.println(server.url());
      System.out.flush();
      new CountDownLatch(1).await();
    }
  }
}
