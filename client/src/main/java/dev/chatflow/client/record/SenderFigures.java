package dev.chatflow.client.record;

/**
 * The messages of one user in one room, which a standalone consumer must have recorded.
 *
 * @param joins accepted JOINs
 * @param texts different TEXTs, including rejected ones
 * @param resent number of repeated writes
 * @param refused TEXTs that the server rejected
 */
public record SenderFigures(
    int room,
    String userId,
    String username,
    long joins,
    long texts,
    long leaves,
    long resent,
    long refused) {}
