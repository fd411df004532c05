package dev.chatflow.server.document;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import dev.chatflow.server.http.PageServlet;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** One of the API documents as servers serve it, with validation by its schemas. Thread-safe. */
final class ApiDocument {

  private static final JsonMapper JSON = new JsonMapper();
  private static final String SCHEMAS = "#/components/schemas/";
  private static final Pattern KIND = Pattern.compile("\\{\"messageType\":\"([A-Z]+)\"");

  static final ApiDocument ASYNC_API = read("asyncapi.json");
  static final ApiDocument OPEN_API = read("openapi.json");

  /** The dialects in which a schema must have the same meaning. */
  enum Dialect {
    DRAFT_7(SpecificationVersion.DRAFT_7),
    DRAFT_2020_12(SpecificationVersion.DRAFT_2020_12);

    private final SpecificationVersion version;

    Dialect(SpecificationVersion version) {
      this.version = version;
    }
  }

  private record Rules(Dialect dialect, String schema, boolean isClosed) {}

  private final String name;
  private final JsonNode root;
  private final JsonNode closed;
  private final Map<Rules, Schema> schemas = new ConcurrentHashMap<>();

  private ApiDocument(String name, JsonNode root) {
    this.name = name;
    this.root = root;
    this.closed = root.deepCopy();
    close(closed.at("/components/schemas"));
  }

  private static ApiDocument read(String name) {
    try (InputStream file = PageServlet.class.getResourceAsStream(name)) {
      return new ApiDocument(name, JSON.readTree(Objects.requireNonNull(file, name)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  JsonNode root() {
    return root;
  }

  JsonNode schema(String schema) {
    return root.at("/components/schemas/" + schema);
  }

  List<String> schemaNames() {
    return List.copyOf(root.at("/components/schemas").propertyNames());
  }

  /** Returns the target of a {@code $ref} within the document; missing if there is none. */
  JsonNode follow(String ref) {
    return ref.startsWith("#/") ? root.at(ref.substring(1)) : root.path(ref);
  }

  /** Returns the name of the schema that a node refers to; empty if it is defined inline. */
  static String schemaOf(JsonNode node) {
    String ref = node.path("$ref").asString("");
    return ref.startsWith(SCHEMAS) ? ref.substring(SCHEMAS.length()) : "";
  }

  /** Returns the schema of a frame that a server sent. */
  static String schemaOfFrame(String text) {
    Matcher kind = KIND.matcher(text);
    if (!kind.lookingAt()) {
      return "Error";
    }
    return switch (kind.group(1)) {
      case "MEMBERS" -> "Members";
      case "PONG" -> "Pong";
      default -> "Broadcast";
    };
  }

  /** Returns the errors of a text; fields unknown to the schema are no errors. */
  List<String> wrongIn(String text, String schema, Dialect dialect) {
    return judge(text, new Rules(dialect, schema, false));
  }

  /** Returns the errors of a server's text: all of its fields must be in the schema. */
  List<String> wrongInOurs(String text, String schema, Dialect dialect) {
    return judge(text, new Rules(dialect, schema, true));
  }

  private List<String> judge(String text, Rules rules) {
    try {
      JsonNode value = JSON.readTree(text);
      return schemas.computeIfAbsent(rules, this::compile).validate(value).stream()
          .map(error -> error.getInstanceLocation() + " " + error.getMessage())
          .toList();
    } catch (JacksonException e) {
      return List.of("not JSON: " + e.getOriginalMessage());
    }
  }

  private Schema compile(Rules rules) {
    String schemaId = "https://chatflow.invalid/" + name;
    String document = (rules.isClosed ? closed : root).toString();
    SchemaRegistry registry =
        SchemaRegistry.withDefaultDialect(
            rules.dialect.version,
            builder ->
                builder
                    .schemas(Map.of(schemaId, document))
                    .schemaRegistryConfig(
                        SchemaRegistryConfig.builder().formatAssertionsEnabled(true).build()));
    return registry.getSchema(SchemaLocation.of(schemaId + SCHEMAS + rules.schema));
  }

  /** Forbids fields that are not in a schema with properties. */
  private static void close(JsonNode node) {
    if (node instanceof ObjectNode object
        && object.get("properties") instanceof ObjectNode
        && !object.has("additionalProperties")) {
      object.put("additionalProperties", false);
    }
    node.forEach(ApiDocument::close);
  }

  /** Visits every node of a tree, starting with itself. */
  static void visit(JsonNode node, Consumer<JsonNode> call) {
    call.accept(node);
    node.forEach(inside -> visit(inside, call));
  }

  @Override
  public String toString() {
    return name;
  }
}
