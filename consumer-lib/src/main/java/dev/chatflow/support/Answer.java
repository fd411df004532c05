package dev.chatflow.support;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonParser;
import com.google.gson.JsonSerializer;
import java.net.HttpURLConnection;
import java.util.Map;

/**
 * An HTTP response.
 *
 * @param contentType of the body, which is sent in UTF-8
 * @param headers additional headers by name
 */
public record Answer(int status, String contentType, String body, Map<String, String> headers) {

  /** The content type of JSON. */
  public static final String JSON = "application/json";

  private static final int TOO_MANY = 429;

  private static final JsonSerializer<Json> AS_IT_IS =
      (json, _, _) -> JsonParser.parseString(json.text());

  private static final Gson GSON =
      new GsonBuilder().disableHtmlEscaping().registerTypeAdapter(Json.class, AS_IT_IS).create();

  public Answer {
    headers = Map.copyOf(headers);
  }

  /** Creates a response without additional headers. */
  public Answer(int status, String contentType, String body) {
    this(status, contentType, body, Map.of());
  }

  /** A part of a body that is JSON already. */
  public record Json(String text) {}

  /** The body of an error. */
  private record Problem(int status, String errorCode, String error) {}

  /** Creates a JSON response; the body is a record or map whose names become the fields. */
  public static Answer json(int status, Object body) {
    return new Answer(status, JSON, GSON.toJson(body));
  }

  /** Creates a successful JSON response. */
  public static Answer ok(Object body) {
    return json(HttpURLConnection.HTTP_OK, body);
  }

  /**
   * Creates an error in the form of the protocol's errors.
   *
   * @param code for programs
   * @param text for people: the problem and the allowed values
   */
  public static Answer problem(int status, String code, String text) {
    return json(status, new Problem(status, code, text));
  }

  /** Creates the response for an unknown path; {@code paths} lists the known ones. */
  public static Answer notFound(String paths) {
    return problem(HttpURLConnection.HTTP_NOT_FOUND, "NOT_FOUND", "not found; available: " + paths);
  }

  /** Creates the response for too many requests; the next one is allowed in {@code waitMillis}. */
  public static Answer tooMany(String text, long waitMillis) {
    String seconds = Long.toString((waitMillis + 999) / 1_000);
    Answer refusal = problem(TOO_MANY, "RATE_LIMITED", text);
    return new Answer(
        refusal.status, refusal.contentType, refusal.body, Map.of("Retry-After", seconds));
  }

  /** Creates the response for a forbidden request; {@code text} is the reason. */
  public static Answer forbidden(String text) {
    return problem(HttpURLConnection.HTTP_FORBIDDEN, "FORBIDDEN", text);
  }

  /**
   * Creates the response for an unsupported method.
   *
   * @param allowed the supported methods, such as {@code GET, HEAD}
   */
  public static Answer methodNotAllowed(String method, String allowed) {
    String text = method + " is not supported here; allowed: " + allowed;
    Answer refusal = problem(HttpURLConnection.HTTP_BAD_METHOD, "METHOD_NOT_ALLOWED", text);
    return new Answer(refusal.status, refusal.contentType, refusal.body, Map.of("Allow", allowed));
  }
}
