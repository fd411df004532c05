package dev.chatflow.consumer.audit;

/** A request that cannot be answered, with the body's code and text. */
final class Refusal extends Exception {
  private static final long serialVersionUID = 1L;

  private final int status;
  private final String code;

  Refusal(int status, String code, String text) {
    super(text);
    this.status = status;
    this.code = code;
  }

  int status() {
    return status;
  }

  String code() {
    return code;
  }
}
