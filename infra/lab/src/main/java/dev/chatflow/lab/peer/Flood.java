package dev.chatflow.lab.peer;

import dev.chatflow.server.ChatClient;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** Connections that send only invalid data and reconnect whenever they are rejected. */
public final class Flood {

  private static final int MALFORMED_LIMIT = 20;
  private static final int POLICY = 1008;

  private final AtomicBoolean stopped = new AtomicBoolean();
  private final AtomicLong refused = new AtomicLong();
  private final List<Thread> threads = new ArrayList<>();

  private Flood() {}

  public static Flood start(URI chat, int connections, long seed) {
    Flood flood = new Flood();
    for (int i = 0; i < connections; i++) {
      Random random = new Random(seed + i);
      flood.threads.add(Thread.startVirtualThread(() -> flood.flood(chat, random)));
    }
    return flood;
  }

  private void flood(URI chat, Random random) {
    while (!stopped.get()) {
      ChatClient client = ChatClient.connect(chat, 1);
      try {
        for (int i = 0; i < MALFORMED_LIMIT; i++) {
          client.sendRaw(rubbish(random));
        }
      } catch (CompletionException _) {
        // already rejected
      }
      if (client.awaitClosed().code() == POLICY) {
        refused.incrementAndGet();
      }
    }
  }

  /** Returns data that is never JSON: an empty object would be a message without fields. */
  private static String rubbish(Random random) {
    int length = random.nextInt(400);
    StringBuilder text = new StringBuilder(length);
    for (int i = 0; i < length; i++) {
      text.append((char) (' ' + random.nextInt(95)));
    }
    return "{," + text;
  }

  /** Ends the flood; returns the number of rejected connections. */
  public long stop() throws InterruptedException {
    stopped.set(true);
    for (Thread thread : threads) {
      thread.join();
    }
    return refused.get();
  }
}
