package dev.chatflow.server;

import dev.chatflow.server.http.DrainServlet;
import dev.chatflow.server.http.PageServlet;
import dev.chatflow.server.http.StrictPaths;
import dev.chatflow.server.sink.tomcat.ContainerCertificates;
import dev.chatflow.server.sink.tomcat.Sinks;
import dev.chatflow.support.ConfigException;
import dev.chatflow.support.Tls;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import java.io.IOException;
import java.util.EnumSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts and stops a server with its web application.
 *
 * <p>Called by the container's thread. If the server cannot start, the application fails, with the
 * reason in one line of the log and in the context attribute {@value #START_FAILURE}.
 */
public final class ServerLifecycle implements ServletContextListener {

  /** Context attribute by which the launcher gets the reason of a failed start. */
  public static final String START_FAILURE = "chatflow.start.failure";

  /** Context attribute by which the launcher gets the admin listener's port, an Integer. */
  public static final String ADMIN_PORT = "chatflow.admin.port";

  private static final Logger log = LoggerFactory.getLogger(ServerLifecycle.class);

  /** The source of the configuration. */
  @FunctionalInterface
  interface Source {
    ServerConfig read() throws ConfigException;
  }

  /** Tomcat's own filter for HSTS and {@code nosniff}. */
  private static final String SECURITY_HEADERS =
      "org.apache.catalina.filters.HttpHeaderSecurityFilter";

  private static final String ONE_YEAR = "31536000";

  private final Source source;
  private @Nullable ChatServer server;

  /** Creates it for the container: reads environment and system properties. */
  public ServerLifecycle() {
    this(ServerConfig::fromProcess);
  }

  ServerLifecycle(Source source) {
    this.source = source;
  }

  @Override
  public void contextInitialized(ServletContextEvent event) {
    ServletContext context = event.getServletContext();
    try {
      ServerConfig config = source.read();
      log.info("configuration: {}", config.effective().describeChanged());
      ChatServer started = ChatServer.start(config);
      server = started;
      register(started, context);
    } catch (ConfigException | StartException | IOException | RuntimeException e) {
      refuse(context, String.valueOf(e.getMessage()));
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  private static void register(ChatServer server, ServletContext context) throws IOException {
    context.setAttribute(ADMIN_PORT, server.adminAddress().getPort());
    FilterRegistration.Dynamic headers = context.addFilter("headers", SECURITY_HEADERS);
    headers.setInitParameter("hstsMaxAgeSeconds", ONE_YEAR); // sent over TLS only
    headers.setInitParameter(
        "antiClickJackingEnabled", "false"); // the page's policy is more precise
    filterAll(headers);
    filterAll(context.addFilter("paths", new StrictPaths()));
    server.handshake().register(context);
    serve(context, "api", server.api(), server.api().paths());
    PageServlet page =
        new PageServlet(context, server.gate(), server.config().edge().origins().ancestors());
    serve(context, "page", page, page.paths());
    serve(context, "drain", new DrainServlet(server::drain));
    server.boundByHeap(Sinks.connectionBytes(context));
    Tls tls = server.config().ports().tls();
    if (tls != null) {
      server.follow(ContainerCertificates.watch(tls.files(), context));
    }
    server.sinks().decide(context, server::sinkDecided, reason -> outOfService(context, reason));
  }

  private static void filterAll(FilterRegistration.Dynamic filter) {
    filter.setAsyncSupported(true);
    filter.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), false, "/*");
  }

  private static void refuse(ServletContext context, String reason) {
    log.error("cannot start: {}; if the container continues, it answers 404 here", reason);
    context.setAttribute(START_FAILURE, reason);
  }

  /** Takes a running application out of service: the launcher ends it, other containers keep it. */
  private static void outOfService(ServletContext context, String reason) {
    log.error("out of service: {}; if the container continues, it answers 503 here", reason);
    context.setAttribute(START_FAILURE, reason);
  }

  private static void serve(
      ServletContext context, String name, Servlet servlet, String... patterns) {
    var registration = context.addServlet(name, servlet);
    registration.setLoadOnStartup(1);
    registration.setAsyncSupported(true);
    if (patterns.length > 0) {
      registration.addMapping(patterns);
    }
  }

  @Override
  public void contextDestroyed(ServletContextEvent event) {
    if (server != null) {
      server.close();
    }
  }
}
