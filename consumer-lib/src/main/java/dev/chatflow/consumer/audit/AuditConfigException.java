package dev.chatflow.consumer.audit;

/** A configuration that cannot be used; the message names everything that is wrong. */
final class AuditConfigException extends Exception {
  private static final long serialVersionUID = 1L;

  AuditConfigException(String message) {
    super(message);
  }
}
