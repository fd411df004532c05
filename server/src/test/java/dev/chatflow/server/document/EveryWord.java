package dev.chatflow.server.document;

import static dev.chatflow.server.document.ApiDocument.ASYNC_API;
import static dev.chatflow.server.document.ApiDocument.Dialect.DRAFT_2020_12;
import static dev.chatflow.server.document.ApiDocument.OPEN_API;

import dev.chatflow.server.Wire;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import tools.jackson.databind.JsonNode;

/**
 * Validates every frame and every response of the integration tests by the API documents, after
 * each test: validation while reading would slow the client down.
 *
 * <p>Registered for all of them in META-INF/services; the build enables that only for them.
 */
public final class EveryWord implements BeforeAllCallback, AfterEachCallback, Wire.Watch {

  private static final int ENOUGH = 20;

  private final ConcurrentLinkedQueue<String> frames = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();

  @Override
  public void beforeAll(ExtensionContext context) {
    Wire.watch(this);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    for (String text = frames.poll(); text != null; text = frames.poll()) {
      judge(text);
    }
    List<String> found = new ArrayList<>(wrong);
    wrong.clear();
    if (!found.isEmpty()) {
      throw new AssertionError("not as the API documents say: " + String.join("\n", found));
    }
  }

  @Override
  public void frame(String text) {
    frames.add(text);
  }

  private void judge(String text) {
    note(text, ASYNC_API.wrongInOurs(text, ApiDocument.schemaOfFrame(text), DRAFT_2020_12));
  }

  @Override
  public void answer(String method, String path, int status, String body) {
    String bare = path.replaceFirst("\\?.*", "");
    operations(bare)
        .ifPresent(operations -> {
          JsonNode operation = operations.path(method.toLowerCase(Locale.ROOT));
          String what = method + " " + path + " " + status + " " + body;
          note(what, wrongInAnswer(operation, status, body));
        });
  }

  private static Optional<JsonNode> operations(String path) {
    return OPEN_API.root().path("paths").properties().stream()
        .filter(entry -> path.matches(entry.getKey().replaceAll("\\{[^}]*}", "[^/]+")))
        .map(Map.Entry::getValue)
        .findFirst();
  }

  private static List<String> wrongInAnswer(JsonNode operation, int status, String body) {
    if (operation.isMissingNode()) { // a method that is rejected
      return OPEN_API.wrongInOurs(body, "Error", DRAFT_2020_12);
    }
    JsonNode said = operation.path("responses").path(Integer.toString(status));
    JsonNode answer = said.has("$ref") ? OPEN_API.follow(said.get("$ref").asString()) : said;
    String schema = ApiDocument.schemaOf(answer.at("/content/application~1json/schema"));
    return answer.isMissingNode()
        ? List.of("this status is not in the document")
        : schema.isEmpty() ? List.of() : OPEN_API.wrongInOurs(body, schema, DRAFT_2020_12);
  }

  private void note(String what, List<String> problems) {
    if (!problems.isEmpty() && wrong.size() < ENOUGH) {
      wrong.add(what + ": " + problems);
    }
  }
}
