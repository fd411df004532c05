package dev.chatflow.client.record;

/**
 * A message in the order in which its room saw it.
 *
 * @param part messages of two parts of a room have no known order: no member saw both ends
 * @param joinMicros the low 31 bits of the time in a JOIN's head, which tells it from the others of
 *     its sender; 0 for what is no JOIN
 */
public record OrderFigures(int room, int part, String messageId, long joinMicros) {}
