package dev.chatflow.record;

import dev.chatflow.support.Answer;

/** A question that cannot be answered; the answer says why. */
public final class Refusal extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient Answer answer;

  /**
   * Makes it without a stack trace: it is an expected outcome.
   *
   * @param code for programs
   * @param text for people: what was wrong, what is allowed
   */
  public Refusal(int status, String code, String text) {
    super(text, null, false, false);
    this.answer = Answer.problem(status, code, text);
  }

  public Answer answer() {
    return answer;
  }
}
