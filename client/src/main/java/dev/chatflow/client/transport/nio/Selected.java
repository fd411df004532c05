package dev.chatflow.client.transport.nio;

import java.nio.channels.SelectionKey;

/** Something whose socket a selector watches. */
interface Selected {
  void ready(SelectionKey key);
}
