package dev.chatflow.support;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import java.net.HttpURLConnection;
import java.util.Map;

/**
 * An HTTP answer.
 *
 * @param contentType of the body, which is sent in UTF-8
 * @param headers more headers by name
 */
public record Answer(int status, String contentType, String body, Map<String, String> headers) {

  /** The content type of JSON. */
  public static final String JSON = "application/json";

  private static final int TOO_MANY = 429;

  private static final Gson GSON = new GsonBuilder().disableHtmlEscaping().create();

  public Answer {
    headers = Map.copyOf(headers);
  }

  /** An answer without more headers. */
  public Answer(int status, String contentType, String body) {
    this(status, contentType, body, Map.of());
  }

  /** The body of an error. */
  private record Problem(int status, String errorCode, String error) {}

  /** An answer in JSON; a body is a record or map whose names are those of the fields. */
  public static Answer json(int status, Object body) {
    return new Answer(status, JSON, GSON.toJson(body));
  }

  /** The usual answer in JSON. */
  public static Answer ok(Object body) {
    return json(HttpURLConnection.HTTP_OK, body);
  }

  /**
   * What went wrong, in the form of the protocol's errors.
   *
   * @param code for programs
   * @param text for people: what was wrong, what is allowed
   */
  public static Answer problem(int status, String code, String text) {
    return json(status, new Problem(status, code, text));
  }

  /** There is nothing at that path; {@code paths} names what there is. */
  public static Answer notFound(String paths) {
    return problem(
        HttpURLConnection.HTTP_NOT_FOUND, "NOT_FOUND", "nothing here; there is " + paths);
  }

  /** Too many requests; the next one is allowed in {@code waitMillis}. */
  public static Answer tooMany(String text, long waitMillis) {
    String seconds = Long.toString((waitMillis + 999) / 1_000);
    Answer refusal = problem(TOO_MANY, "RATE_LIMITED", text);
    return new Answer(
        refusal.status, refusal.contentType, refusal.body, Map.of("Retry-After", seconds));
  }

  /** Who asks may not; {@code text} says why. */
  public static Answer forbidden(String text) {
    return problem(HttpURLConnection.HTTP_FORBIDDEN, "FORBIDDEN", text);
  }

  /**
   * That path does not take that method.
   *
   * @param allowed what it takes, such as {@code GET, HEAD}
   */
  public static Answer methodNotAllowed(String method, String allowed) {
    String text = method + " is not possible here; allowed: " + allowed;
    Answer refusal = problem(HttpURLConnection.HTTP_BAD_METHOD, "METHOD_NOT_ALLOWED", text);
    return new Answer(refusal.status, refusal.contentType, refusal.body, Map.of("Allow", allowed));
  }
}
