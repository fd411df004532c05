package dev.chatflow.client.record;

/**
 * What one user wrote in one room: what a standalone consumer must have recorded.
 *
 * @param joins accepted JOINs
 * @param texts different TEXTs, refused ones included
 * @param resent how often one of them was written again
 * @param refused TEXTs the server refused
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
