package dev.chatflow.client.verify;

/**
 * One found defect. Numbers that are not known are negative.
 *
 * @param sender global number of the sending user
 * @param receiver global number of the receiving user
 * @param writtenNanos since the run's origin
 * @param echoNanos since the run's origin
 */
public record Example(
    Defect defect,
    int room,
    int sender,
    int seq,
    int receiver,
    long writtenNanos,
    long echoNanos) {}
