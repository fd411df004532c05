package dev.chatflow.server.launch;

import jakarta.servlet.ServletContextAttributeEvent;
import jakarta.servlet.ServletContextAttributeListener;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.Wrapper;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.core.StandardHost;
import org.apache.catalina.loader.WebappLoader;
import org.apache.catalina.startup.ExpandWar;
import org.apache.catalina.startup.Tomcat;
import org.apache.catalina.valves.ErrorReportValve;
import org.apache.catalina.valves.JsonErrorReportValve;
import org.apache.catalina.webresources.StandardRoot;
import org.apache.tomcat.util.net.SSLHostConfig;
import org.apache.tomcat.util.net.SSLHostConfigCertificate;
import org.apache.tomcat.util.scan.StandardJarScanner;
import org.jspecify.annotations.Nullable;

/**
 * Tomcat in this process with the application as its root context.
 *
 * <p>Used by one thread; any thread of the application calls the listener for late failures.
 */
final class EmbeddedServer {

  /** Context attribute with the reason if the application cannot start or continue. */
  static final String FAILURE_ATTRIBUTE = "chatflow.start.failure";

  /** Context attribute with the port of the application's admin listener, an Integer. */
  static final String ADMIN_PORT_ATTRIBUTE = "chatflow.admin.port";

  /** Connections above the application's own bound that it still closes with 1013. */
  private static final int REFUSED_CONNECTIONS = 1_000;

  private static final int ACCEPT_COUNT = 4_096;

  /**
   * Size of each buffer that Tomcat holds per connection: enough for most messages; longer ones are
   * processed in pieces.
   */
  private static final String BUFFER_BYTES = "512";

  /**
   * Bytes that the kernel may hold for a slow reader; it doubles them for its overhead. Without a
   * bound it grows them to megabytes, and a thousand such readers use the whole machine's TCP
   * memory (docs/adr/0017).
   */
  private static final String KERNEL_BUFFER_BYTES = "131072";

  /**
   * Interval of Tomcat's check of all connections for timeouts, in ms; its default is one second.
   */
  private static final String TIMEOUTS_MILLIS = "5000";

  /** Tomcat's timeout for the next bytes of a request, in ms; its default is one minute. */
  private static final String REQUEST_MILLIS = "10000";

  /**
   * The ciphers of TLS 1.3, and for TLS 1.2 those with forward secrecy and authenticated
   * encryption.
   */
  private static final String CIPHERS = "ECDHE+AESGCM:ECDHE+CHACHA20";

  /**
   * Read once, when Tomcat's WebSocket classes are loaded; each connection has three such buffers.
   */
  private static final String FRAME_BUFFER = "org.apache.tomcat.websocket.DEFAULT_BUFFER_SIZE";

  private final Tomcat tomcat = new Tomcat();
  private final Listening listening;
  private final ContainerLog log;
  private final StandardContext context;
  private final FailureListener failure;

  /** Tomcat's own directory, empty except for folders. */
  private final Path own;

  /**
   * The listener of a server.
   *
   * @param address of one interface, or 0.0.0.0
   * @param port 0 uses a free one
   * @param maxConnections the application's own bound
   * @param tls null for plain HTTP; otherwise only TLS is accepted
   * @param portable whether the public API certainly sends frames, which gathers them in a buffer
   *     that must hold many
   */
  record Listening(
      String address, int port, int maxConnections, @Nullable Tls tls, boolean portable) {}

  /** The PEM files of a certificate, with those up to its authority, and of its key. */
  record Tls(String certificate, String key) {}

  /**
   * Prepares the server; {@link #bind} opens the port.
   *
   * @param application the WAR; this class's loader has its classes
   * @param lateFailure receives the reason if the running application fails
   */
  EmbeddedServer(
      Path application, Listening listening, ContainerLog log, Consumer<String> lateFailure)
      throws LaunchException {
    this.own = temporaryFolder();
    this.listening = listening;
    this.log = log;
    this.failure = new FailureListener(lateFailure);
    if (!listening.portable()) {
      System.getProperties().putIfAbsent(FRAME_BUFFER, BUFFER_BYTES);
    }
    tomcat.setBaseDir(own.toString());
    tomcat.setConnector(connector(listening));
    tomcat.setAddDefaultWebXmlToWebapp(false); // it would need a JSP compiler
    ErrorReportValve errors = plainErrors();
    ((StandardHost) tomcat.getHost()).setErrorReportValveClass(errors.getClass().getName());
    tomcat.getHost().getPipeline().addValve(errors);
    context = (StandardContext) tomcat.addWebapp("", application.toAbsolutePath().toString());
    prepare(context);
    context.addApplicationEventListener(failure);
  }

  private static Path temporaryFolder() throws LaunchException {
    try {
      return Files.createTempDirectory("chatflow-");
    } catch (IOException e) {
      throw LaunchException.failed("cannot create a temporary folder (-Djava.io.tmpdir): " + e, e);
    }
  }

  private static Connector connector(Listening listening) {
    Connector connector = new Connector("org.apache.coyote.http11.Http11NioProtocol");
    connector.setPort(listening.port());
    connector.setThrowOnFailure(true);
    // A client must not wait for a starting application, so a configured port is opened only when
    // it answers. A free port has to be known before.
    connector.setProperty("bindOnInit", Boolean.toString(listening.port() == 0));
    connector.setProperty("connectionTimeout", REQUEST_MILLIS);
    connector.setEncodedSolidusHandling("passthrough"); // rejected by the application, in JSON
    connector.setEncodedReverseSolidusHandling("passthrough");
    connector.setProperty("address", listening.address());
    // Tomcat answers pings with blocking sends, which would exhaust a few platform threads
    // (docs/adr).
    connector.setProperty("useVirtualThreads", "true");
    connector.setProperty(
        "maxConnections", Integer.toString(listening.maxConnections() + REFUSED_CONNECTIONS));
    connector.setProperty("acceptCount", Integer.toString(ACCEPT_COUNT));
    connector.setProperty("socket.appReadBufSize", BUFFER_BYTES);
    connector.setProperty("socket.appWriteBufSize", BUFFER_BYTES);
    connector.setProperty("socket.txBufSize", KERNEL_BUFFER_BYTES);
    connector.setProperty("socket.timeoutInterval", TIMEOUTS_MILLIS);
    connector.setProperty(
        "selectorTimeout", TIMEOUTS_MILLIS); // timeouts are also checked when nothing arrived
    connector.setProperty(
        "socket.bufferPool", "0"); // a late write must never reach a new connection
    if (listening.tls() != null) {
      encrypt(connector, listening.tls());
    }
    return connector;
  }

  /**
   * Returns the error page for requests that never reach the application, such as malformed ones.
   */
  private static ErrorReportValve plainErrors() {
    ErrorReportValve valve = new JsonErrorReportValve();
    valve.setShowReport(false);
    valve.setShowServerInfo(false);
    return valve;
  }

  private static void encrypt(Connector connector, Tls tls) {
    SSLHostConfig host = new SSLHostConfig();
    host.setProtocols("TLSv1.2+TLSv1.3");
    host.setCiphers(CIPHERS);
    SSLHostConfigCertificate certificate =
        new SSLHostConfigCertificate(host, SSLHostConfigCertificate.Type.UNDEFINED);
    certificate.setCertificateFile(Path.of(tls.certificate()).toAbsolutePath().toString());
    certificate.setCertificateKeyFile(Path.of(tls.key()).toAbsolutePath().toString());
    host.addCertificate(certificate);
    connector.addSslHostConfig(host);
    connector.setProperty("SSLEnabled", "true");
  }

  private static void prepare(StandardContext context) {
    context.setUnpackWAR(false);
    context.setResources(new FilesAlone(context));
    context.setParentClassLoader(EmbeddedServer.class.getClassLoader());
    WebappLoader classes = new WebappLoader();
    classes.setDelegate(true); // one class path for all, so that nothing is loaded twice
    context.setLoader(classes);
    context.setClearReferencesRmiTargets(
        false); // looks for leaks of a redeployment, which never happens here
    context.setClearReferencesThreadLocals(false);
    if (context.getJarScanner() instanceof StandardJarScanner scanner) {
      scanner.setScanClassPath(false); // the launcher's own jars contain no part of the application
      scanner.setScanManifest(false);
    }
    // Without a servlet for every path no WebSocket handshake reaches its filter.
    Wrapper files =
        Tomcat.addServlet(context, "default", "org.apache.catalina.servlets.DefaultServlet");
    files.setLoadOnStartup(1);
    files.addMapping("/");
    context.addWelcomeFile("index.html");
    Tomcat.addDefaultMimeTypeMappings(context);
  }

  /**
   * Checks the port. A free one is opened already, and connections wait until {@link #start}.
   *
   * @return the actual port
   */
  int bind() throws LaunchException {
    try {
      tomcat.init();
      if (listening.port() != 0) {
        requireFree(new InetSocketAddress(listening.address(), listening.port()));
        return listening.port();
      }
      return tomcat.getConnector().getLocalPort();
    } catch (LifecycleException | IOException e) {
      throw cannotListen(e);
    }
  }

  private static void requireFree(InetSocketAddress address) throws IOException {
    try (ServerSocket probe = new ServerSocket()) {
      probe.setReuseAddress(true); // as Tomcat does: ended connections do not block the port
      probe.bind(address);
    }
  }

  private LaunchException cannotListen(Exception e) {
    String where = listening.address() + ":" + listening.port();
    return LaunchException.failed(
        isInUse(e)
            ? "port " + listening.port() + " is in use (set another with --port or CHATFLOW_PORT)"
            : "cannot listen on " + where + ": " + ContainerLog.reason(e),
        e);
  }

  private static boolean isInUse(Throwable thrown) {
    return thrown instanceof BindException bind
        ? String.valueOf(bind.getMessage()).contains("in use")
        : thrown.getCause() != null && isInUse(thrown.getCause());
  }

  /** Starts the application. */
  void start() throws LaunchException {
    try {
      tomcat.start();
    } catch (LifecycleException e) {
      throw isInUse(e)
          ? cannotListen(e)
          : LaunchException.failed(reason(ContainerLog.reason(e)), e);
    }
    if (!context.getState().isAvailable()) {
      throw LaunchException.failed(reason("the web application does not start"));
    }
    failure.started();
  }

  /** Returns the actual port of the running application's admin listener. */
  int adminPort() {
    return (Integer) context.getServletContext().getAttribute(ADMIN_PORT_ATTRIBUTE);
  }

  /** Returns the application's own reason, else the container's. */
  private String reason(String fallback) {
    String reported = failure.reason();
    String logged = log.firstFailure();
    return reported != null ? reported : logged != null ? logged : fallback;
  }

  /** Stops the application, which drains, then the container; also after a failed start. */
  void stop() {
    try {
      tomcat.stop();
      tomcat.destroy();
    } catch (LifecycleException e) {
      throw new IllegalStateException("Tomcat failed to stop: " + ContainerLog.reason(e), e);
    } finally {
      ExpandWar.delete(own.toFile());
    }
  }

  /** The WAR's files without its jars: all classes come from the class path of the JVM. */
  private static final class FilesAlone extends StandardRoot {
    FilesAlone(StandardContext context) {
      super(context);
    }

    @Override
    protected void processWebInfLib() {}
  }

  /** Receives the application's reason for not starting or not continuing. */
  private static final class FailureListener implements ServletContextAttributeListener {
    private final Consumer<String> late;

    // Guarded by this
    private @Nullable String reason;
    private boolean started;

    FailureListener(Consumer<String> late) {
      this.late = late;
    }

    synchronized @Nullable String reason() {
      return reason;
    }

    synchronized void started() {
      started = true;
      if (reason != null) {
        late.accept(reason);
      }
    }

    @Override
    public void attributeAdded(ServletContextAttributeEvent event) {
      if (event.getName().equals(FAILURE_ATTRIBUTE)) {
        give(String.valueOf(event.getValue()));
      }
    }

    private synchronized void give(String given) {
      reason = given;
      if (started) {
        late.accept(given);
      }
    }
  }
}
