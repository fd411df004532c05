package dev.chatflow.server.http;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A request and its response in memory, with only the methods that the servlets use. */
public final class FakeExchange {

  static final String PEER = "192.0.2.1";

  private final String method;
  private final String servletPath;
  private final @Nullable String pathInfo;
  private final Map<String, List<String>> asked = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
  private final Map<String, String> parameters = new TreeMap<>();
  private final Map<String, String> answered = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final CountDownLatch complete = new CountDownLatch(1);
  private byte[] body = {};
  private long announced;
  private String context = "";
  private int status = 200;
  private boolean read;

  public FakeExchange(String method, String servletPath, @Nullable String pathInfo) {
    this.method = method;
    this.servletPath = servletPath;
    this.pathInfo = pathInfo;
  }

  /** Returns a POST of this body to a room. */
  static FakeExchange post(String room, String json) {
    return new FakeExchange("POST", "/api", "/rooms/" + room + "/messages")
        .header("Content-Type", "application/json")
        .body(json.getBytes(StandardCharsets.UTF_8));
  }

  public FakeExchange header(String name, String value) {
    asked.computeIfAbsent(name, _ -> new ArrayList<>()).add(value);
    return this;
  }

  /** Sets the path of the application; the default is the root. */
  FakeExchange context(String path) {
    context = path;
    return this;
  }

  FakeExchange body(byte[] bytes) {
    body = bytes;
    announced = bytes.length;
    return this;
  }

  /** Sends the body in chunks, without a known length. */
  FakeExchange inChunks() {
    announced = -1;
    return this;
  }

  FakeExchange parameter(String name, String value) {
    parameters.put(name, value);
    return this;
  }

  private @Nullable String asked(String name) {
    List<String> values = asked.get(name);
    return values == null ? null : values.getFirst();
  }

  public HttpServletRequest request() {
    return fake(
        HttpServletRequest.class,
        (name, argument) ->
            switch (name) {
              case "getMethod" -> method;
              case "getServletPath" -> servletPath;
              case "getPathInfo" -> pathInfo;
              case "getRequestURI" -> pathInfo == null ? servletPath : servletPath + pathInfo;
              case "getContextPath" -> context;
              case "getQueryString" -> null;
              case "getRemoteAddr" -> PEER;
              case "isSecure" -> false;
              case "getLocalAddr" -> "192.0.2.2";
              case "getLocalPort" -> 8080;
              case "getContentType" -> asked("Content-Type");
              case "getContentLengthLong" -> announced;
              case "getParameter" -> parameters.get(argument);
              case "getHeader" -> asked(argument);
              case "getHeaders" -> Collections.enumeration(asked.getOrDefault(argument, List.of()));
              case "getInputStream" -> {
                read = true;
                yield new Input(body);
              }
              case "startAsync" -> later();
              default -> throw new UnsupportedOperationException(name);
            });
  }

  /** Supports a response by another thread. */
  private AsyncContext later() {
    return fake(
        AsyncContext.class,
        (name, _) ->
            switch (name) {
              case "getResponse" -> response();
              case "setTimeout", "addListener" -> null;
              case "complete" -> {
                complete.countDown();
                yield null;
              }
              default -> throw new UnsupportedOperationException(name);
            });
  }

  void awaitAnswer() throws InterruptedException {
    if (!complete.await(1, TimeUnit.MINUTES)) {
      throw new IllegalStateException("no answer");
    }
  }

  public HttpServletResponse response() {
    return (HttpServletResponse)
        Proxy.newProxyInstance(
            FakeExchange.class.getClassLoader(),
            new Class<?>[] {HttpServletResponse.class},
            (_, method, arguments) -> {
              switch (method.getName()) {
                case "setStatus" -> status = (Integer) arguments[0];
                case "setContentType" -> answered.put("Content-Type", (String) arguments[0]);
                case "setContentLength" ->
                    answered.put("Content-Length", String.valueOf(arguments[0]));
                case "setHeader" -> answered.put((String) arguments[0], (String) arguments[1]);
                case "getContentType" -> {
                  return answered.get("Content-Type");
                }
                case "getOutputStream" -> {
                  return new Output(out);
                }
                default -> throw new UnsupportedOperationException(method.getName());
              }
              return null;
            });
  }

  /** Answers a call on the request, by the method's name and its only argument. */
  private interface Asked {
    @Nullable Object answer(String name, String argument);
  }

  private static <T> T fake(Class<T> type, Asked asked) {
    return type.cast(
        Proxy.newProxyInstance(
            FakeExchange.class.getClassLoader(),
            new Class<?>[] {type},
            (_, method, arguments) ->
                asked.answer(
                    method.getName(), arguments == null ? "" : String.valueOf(arguments[0]))));
  }

  /** Returns whether the body was read. */
  boolean wasRead() {
    return read;
  }

  public int status() {
    return status;
  }

  public @Nullable String answered(String header) {
    return answered.get(header);
  }

  byte[] bytes() {
    return out.toByteArray();
  }

  public String text() {
    return out.toString(StandardCharsets.UTF_8);
  }

  private static final class Input extends ServletInputStream {
    private final ByteArrayInputStream bytes;

    Input(byte[] bytes) {
      this.bytes = new ByteArrayInputStream(bytes);
    }

    @Override
    public int read() {
      return bytes.read();
    }

    @Override
    public int read(byte[] into, int from, int most) {
      return bytes.read(into, from, most);
    }

    @Override
    public boolean isFinished() {
      return bytes.available() == 0;
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void setReadListener(ReadListener listener) {
      throw new UnsupportedOperationException();
    }
  }

  private static final class Output extends ServletOutputStream {
    private final ByteArrayOutputStream bytes;

    Output(ByteArrayOutputStream bytes) {
      this.bytes = bytes;
    }

    @Override
    public void write(int octet) {
      bytes.write(octet);
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void setWriteListener(WriteListener listener) {
      throw new UnsupportedOperationException();
    }
  }
}
