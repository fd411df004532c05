package dev.chatflow.standalone.record;

/**
 * A room's records, as they were when asked.
 *
 * @param recorded all that came
 * @param kept those of them that can still be read
 * @param bytes what these cost
 */
public record RoomView(String roomId, long recorded, long kept, long bytes, int senders) {}
