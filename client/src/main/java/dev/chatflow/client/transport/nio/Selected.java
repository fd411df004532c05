package dev.chatflow.client.transport.nio;

/** Something whose socket a selector watches. */
interface Selected {
  void ready();
}
