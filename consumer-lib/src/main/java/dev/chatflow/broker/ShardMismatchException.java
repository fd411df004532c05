package dev.chatflow.broker;

/** The cluster runs with another number of shards than this process: it must not start. */
public final class ShardMismatchException extends BrokerException {
  private static final long serialVersionUID = 1L;

  public ShardMismatchException(String message, Throwable cause) {
    super(message, cause);
  }
}
