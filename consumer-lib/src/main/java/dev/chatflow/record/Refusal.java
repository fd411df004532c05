package dev.chatflow.record;

import dev.chatflow.support.Answer;

/** A request that cannot be answered, with the reason. */
public final class Refusal extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient Answer answer;

  /**
   * Creates it without a stack trace, because it is an expected outcome.
   *
   * @param code for programs
   * @param text for people: the problem and the allowed values
   */
  public Refusal(int status, String code, String text) {
    super(text, null, false, false);
    this.answer = Answer.problem(status, code, text);
  }

  public Answer answer() {
    return answer;
  }
}
