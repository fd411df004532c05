package dev.chatflow.server.launch;

import dev.chatflow.broker.BrokerConfig;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the command line asks for.
 *
 * @param action what to do
 * @param servers how many, the first of them in this process
 * @param child whether another launcher started this one: it ends when its standard input does
 * @param secure whether a certificate and a token key are made for it, to try them out
 * @param brokerFile where the embedded broker's URI is written for others, or empty
 * @param settings configuration given as options: system property and value
 */
record LaunchOptions(
    Action action,
    int servers,
    boolean child,
    boolean secure,
    String brokerFile,
    Map<String, String> settings) {

  static final int MAX_SERVERS = 16;

  static final String PORT = "chatflow.port";
  static final String ADMIN_PORT = "chatflow.admin.port";
  static final String AMQP_URI = "chatflow.amqp.uri";

  static final String USAGE =
      """
      Usage: java -jar chatflow.war [OPTION]...

      Starts a chat server, and an embedded broker on loopback when none is named.

        --port PORT        port of chat, page and API (CHATFLOW_PORT, 8080); 0 takes a free one
        --admin-port PORT  port of metrics, readiness and drain (CHATFLOW_ADMIN_PORT, 8081)
        --address ADDRESS  address to listen on (CHATFLOW_ADDRESS, 127.0.0.1); 0.0.0.0 is all
        --broker URI       the broker, amqp://user@host:port/vhost; one with a password belongs
                           into the environment (CHATFLOW_AMQP_URI): others can read options
        --broker-file FILE where to write the embedded broker's URI, password included, for other
                           programs of this user; gone when the launcher stops
        --servers N        so many servers on ports PORT, PORT+10, ..., each its own JVM
        --secure           TLS with a certificate for this machine, and only who has a token comes
                           in: for trying it out. Certificate and token key are made in
                           ~/.chatflow/secure; a link to the page and first commands are printed
        --check            say whether the configuration can be used, and exit
        --print-effective  print every key with the value in force, and exit
        --help

      All keys can be set as CHATFLOW_* in the environment; an option wins over the environment.
      SIGTERM or Ctrl-C drains: what was accepted is delivered, then the server stops.
      Exit status: 0 stopped on request, 1 could not start, 2 usage or configuration, 3 heap exhausted.
      """;

  private static final Map<String, String> SETTINGS =
      Map.of(
          "--port", PORT,
          "--admin-port", ADMIN_PORT,
          "--address", "chatflow.address",
          "--broker", AMQP_URI);

  enum Action {
    RUN,
    CHECK,
    PRINT,
    HELP
  }

  LaunchOptions {
    if (servers < 1 || servers > MAX_SERVERS) {
      throw new IllegalArgumentException("servers: " + servers);
    }
    settings = Map.copyOf(settings);
  }

  static LaunchOptions parse(List<String> arguments) throws StartException {
    Action action = Action.RUN;
    int servers = 1;
    boolean child = false;
    boolean secure = false;
    String brokerFile = "";
    Map<String, String> settings = new HashMap<>();
    Iterator<String> rest = split(arguments).iterator();
    while (rest.hasNext()) {
      String option = rest.next();
      switch (option) {
        case "--help", "-h" -> action = Action.HELP;
        case "--check" -> action = Action.CHECK;
        case "--print-effective" -> action = Action.PRINT;
        case ServerProcess.CHILD_OPTION -> child = true;
        case "--secure" -> secure = true;
        case "--broker-file" -> brokerFile = value(option, rest);
        case "--servers" -> servers = servers(value(option, rest));
        default -> settings.put(property(option), value(option, rest));
      }
    }
    return new LaunchOptions(action, servers, child, secure, brokerFile, settings);
  }

  /** Whether a broker is named anywhere; else the embedded one is started. */
  boolean namesBroker() {
    return settings.containsKey(AMQP_URI)
        || System.getProperty(AMQP_URI) != null
        || System.getenv("CHATFLOW_AMQP_URI") != null;
  }

  /** What is set of all that {@code --secure} decides itself, by its names; else empty. */
  String ownSecurity() {
    return Stream.of("TLS_CERTIFICATE", "TLS_KEY", "TOKEN_KEYS", "AUTH")
        .map(key -> "CHATFLOW_" + key)
        .filter(LaunchOptions::isSet)
        .collect(Collectors.joining(", "));
  }

  private static boolean isSet(String environmentName) {
    String property = environmentName.toLowerCase(Locale.ROOT).replace('_', '.');
    return System.getProperty(property) != null || System.getenv(environmentName) != null;
  }

  /** Whether the command line, which everybody on the machine can read, holds a password. */
  boolean showsPassword() {
    return BrokerConfig.holdsPassword(settings.getOrDefault(AMQP_URI, ""));
  }

  /** {@code --port=80} as {@code --port 80}. */
  private static List<String> split(List<String> arguments) {
    return arguments.stream()
        .flatMap(argument ->
            argument.startsWith("--") && argument.contains("=")
                ? List.of(argument.split("=", 2)).stream()
                : List.of(argument).stream())
        .toList();
  }

  private static String property(String option) throws StartException {
    String property = SETTINGS.get(option);
    if (property == null) {
      throw StartException.misconfigured("unknown option " + option + " (see --help)");
    }
    return property;
  }

  private static String value(String option, Iterator<String> rest) throws StartException {
    if (!rest.hasNext()) {
      throw StartException.misconfigured(option + " needs a value (see --help)");
    }
    return rest.next();
  }

  private static int servers(String text) throws StartException {
    try {
      int servers = Integer.parseInt(text);
      if (servers >= 1 && servers <= MAX_SERVERS) {
        return servers;
      }
    } catch (NumberFormatException _) {
      // Reported below.
    }
    throw StartException.misconfigured(
        "--servers " + text + " is not a whole number from 1 to " + MAX_SERVERS);
  }
}
