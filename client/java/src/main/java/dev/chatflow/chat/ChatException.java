package dev.chatflow.chat;

import com.google.gson.JsonObject;
import dev.chatflow.chat.link.Frames;
import dev.chatflow.chat.link.Net;

/** Reports that a call failed or a room stopped. Programs use the code, people the message. */
public final class ChatException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Code code;

  ChatException(Code code, String message) {
    super(message);
    this.code = code;
  }

  /** Creates the exception for a code as text. The message names a code that is not known here. */
  static ChatException of(String name, String message) {
    Code code = Code.of(name);
    return new ChatException(code, code == Code.OTHER ? name + ": " + message : message);
  }

  static ChatException of(Net.Answer refused) {
    JsonObject body = Frames.read(refused.body());
    return body == null || !body.has(Frames.ERROR_CODE)
        ? new ChatException(Code.OTHER, "the server answers " + refused.status())
        : of(Frames.text(body, Frames.ERROR_CODE), Frames.refusal(body));
  }

  /** Returns the reason for programs. */
  public Code code() {
    return code;
  }
}
