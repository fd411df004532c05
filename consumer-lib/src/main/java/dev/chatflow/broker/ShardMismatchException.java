package dev.chatflow.broker;

/**
 * Reports that the cluster has a different number of shards than this process, which must not
 * start.
 */
public final class ShardMismatchException extends BrokerException {
  private static final long serialVersionUID = 1L;

  public ShardMismatchException(String message, Throwable cause) {
    super(message, cause);
  }
}
