package dev.chatflow.server.http;

import dev.chatflow.message.ErrorFrame;
import dev.chatflow.room.RoomId;
import dev.chatflow.server.edge.Gate;
import dev.chatflow.server.edge.ServletAnswer;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * Serves the browser page at {@code /} and {@code /rooms/{roomId}} with its files. The library at
 * {@code /lib/} and the API documents may be loaded by pages of any origin.
 *
 * <p>The page's links are relative and the same at both paths, with any context path, so its files
 * are served next to both. No room id contains a dot, so none can be mistaken for a file.
 */
public final class PageServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  private static final String PAGE = "index.html";
  private static final String LIBRARY = "lib/";

  /** The API documents and the npm package of the library; they are in this package. */
  private static final List<String> RESOURCES =
      List.of("api/asyncapi.json", "api/openapi.json", "lib/chatflow-client.tgz");

  /** Content types by file extension. */
  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html;charset=UTF-8",
          "css", "text/css;charset=UTF-8",
          "svg", "image/svg+xml",
          "js", "text/javascript;charset=UTF-8",
          "ts", "text/plain;charset=UTF-8",
          "json", "application/json;charset=UTF-8",
          "tgz", "application/gzip");

  private static final List<String> FILES =
      List.of(
          PAGE,
          "chatflow.css",
          "chatflow.svg",
          "page.js",
          "entry.js",
          "conversation.js",
          "lines.js",
          "parts.js",
          "typing.js",
          "lib/chatflow.js",
          "lib/room.js",
          "lib/reconnector.js",
          "lib/membership.js",
          "lib/connection.js",
          "lib/tokens.js",
          "lib/memory.js",
          "lib/protocol.js",
          "lib/chatflow.d.ts",
          "lib/package.json");

  /**
   * The page may load only the server's own files and connect only to the server; 'self' covers
   * WebSockets of the same origin. The allowed embedding pages are appended.
   */
  public static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self';"
          + " base-uri 'none'; form-action 'none'; frame-ancestors ";

  private final transient Map<String, Content> files = new LinkedHashMap<>();
  private final transient Gate gate;
  private final String ancestors;

  /** A file in memory; browsers revalidate it with the tag. */
  private static final class Content {

    final String type;
    final byte[] bytes;
    final String tag;

    Content(String type, byte[] bytes) {
      CRC32 sum = new CRC32();
      sum.update(bytes);
      this.type = type;
      this.bytes = bytes;
      this.tag = '"' + HexFormat.of().toHexDigits(sum.getValue(), 8) + '"';
    }
  }

  /**
   * Reads the files of {@code application}, all of which must exist.
   *
   * @param gate limits the requests of an address
   * @param ancestors the pages that may embed the page, in the syntax of a policy
   */
  public PageServlet(ServletContext application, Gate gate, String ancestors) throws IOException {
    this.gate = gate;
    this.ancestors = ancestors;
    for (String name : FILES) {
      read(name, application.getResourceAsStream("/" + name));
    }
    for (String name : RESOURCES) {
      read(name, PageServlet.class.getResourceAsStream(name.substring(name.indexOf('/') + 1)));
    }
  }

  private void read(String name, @Nullable InputStream opened) throws IOException {
    try (InputStream file = opened) {
      if (file == null) {
        throw new IOException("the web application has no " + name);
      }
      files.put(name, new Content(type(name), file.readAllBytes()));
    }
  }

  private static String type(String name) {
    return Objects.requireNonNull(TYPES.get(name.substring(name.lastIndexOf('.') + 1)));
  }

  /** Returns the URL patterns it serves; the empty one is the root of the application. */
  public String[] paths() {
    return Stream.concat(Stream.of("", "/rooms/*"), files.keySet().stream().map(file -> "/" + file))
        .toArray(String[]::new);
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    ErrorFrame tooMany = gate.refusalOfFile(request);
    if (tooMany != null) {
      ServletAnswer.refuse(tooMany, response);
      return;
    }
    response.setHeader("Content-Security-Policy", POLICY + ancestors);
    response.setHeader("Referrer-Policy", "no-referrer");
    response.setHeader("X-Content-Type-Options", "nosniff");
    String asked = name(request.getServletPath());
    if (asked.startsWith(LIBRARY) || RESOURCES.contains(asked)) {
      response.setHeader("Access-Control-Allow-Origin", "*");
      response.setHeader("Cross-Origin-Resource-Policy", "cross-origin");
    }
    Content content = content(request);
    if (content == null) {
      response.setStatus(HttpServletResponse.SC_BAD_REQUEST);
      response.setContentType("text/plain;charset=UTF-8");
      write(response, PostRequest.BAD_ROOM.getBytes(StandardCharsets.UTF_8));
      return;
    }
    response.setHeader("Cache-Control", "no-cache"); // cached, but revalidated each time
    response.setHeader("ETag", content.tag);
    String known = request.getHeader("If-None-Match"); // a list, possibly weakened by a proxy
    if (known != null && known.contains(content.tag)) {
      response.setStatus(HttpServletResponse.SC_NOT_MODIFIED);
      return;
    }
    response.setContentType(content.type);
    write(response, content.bytes);
  }

  /** Returns null for an invalid room id. */
  private @Nullable Content content(HttpServletRequest request) {
    String path = request.getServletPath();
    String name = name(request.getPathInfo());
    if (!path.equals("/rooms")) {
      return files.getOrDefault(name(path), files.get(PAGE));
    }
    return RoomId.isValid(name) ? files.get(PAGE) : name.equals(PAGE) ? null : files.get(name);
  }

  private static String name(@Nullable String path) {
    return path == null || path.isEmpty() ? "" : path.substring(1);
  }

  private static void write(HttpServletResponse response, byte[] body) throws IOException {
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
  }
}
