package dev.chatflow.server.launch;

import dev.chatflow.broker.BrokerConfig;
import dev.chatflow.support.ConfigException;
import dev.chatflow.support.ConfigSource;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The parsed command line.
 *
 * @param action the action
 * @param servers number of servers, the first of them in this process
 * @param child whether another launcher started this one: it ends when its standard input does
 * @param trial setup that requires tokens; null for none
 * @param unpackTo the folder to unpack the program to, or empty
 * @param brokerFile the file for the embedded broker's URI, or empty
 * @param namesBroker whether a broker is configured; otherwise the embedded one is started
 * @param settings configuration given as options: system property and value
 */
record LaunchOptions(
    Action action,
    int servers,
    boolean child,
    @Nullable TokenSetup trial,
    String unpackTo,
    String brokerFile,
    boolean namesBroker,
    Map<String, String> settings) {

  static final int MAX_SERVERS = 16;

  static final String PORT = "chatflow.port";
  static final String ADMIN_PORT = "chatflow.admin.port";
  static final String AMQP_URI = "chatflow.amqp.uri";

  private static final String USAGE =
      """
      Usage: java -jar chatflow.war [OPTION]...

      Starts a chat server, with an embedded broker on loopback unless you name a broker.

        --port PORT        port of chat, page and API (CHATFLOW_PORT, 8080); 0 takes a free one
        --admin-port PORT  port of operations page and metrics (CHATFLOW_ADMIN_PORT, 8081)
        --address ADDRESS  address to listen on (CHATFLOW_ADDRESS, 127.0.0.1); 0.0.0.0 is all
        --broker URI       the broker, amqp://user@host:port/vhost; put a URI with a password in
                           the environment (CHATFLOW_AMQP_URI), because others can read options
        --broker-file FILE write the embedded broker's URI with its password to this file, for other
                           programs of this user; it is deleted when the launcher stops
        --servers N        number of servers, on ports PORT, PORT+10, ..., each in its own JVM
        --secure           require TLS and tokens, to try them. Creates a certificate for this
                           machine and a token key in ~/.chatflow/secure; prints a link to the page
                           and the first commands
        --own-key FILE     require tokens, as with CHATFLOW_TOKEN_KEYS=FILE. Creates the key at the
                           first start, and prints a link to the page at each. Has no effect if
                           CHATFLOW_TOKEN_KEYS or CHATFLOW_AUTH is set
        --config FILE      a file of CHATFLOW_* keys, KEY=value lines (CHATFLOW_CONFIG)
        --generate-config  print such a file: every key with default, range and meaning, and exit
        --unpack DIR       unpack the program into the new folder DIR, from where
                           java -jar DIR/chatflow.jar starts it, and exit
        --check            check the configuration and exit
        --print-effective  print every key with its effective value and exit
        --help

      All keys can be set as CHATFLOW_* in the environment. An option wins over the environment,
      the environment over the file.
      SIGTERM or Ctrl-C drains: what was accepted is delivered, then the server stops.
      Exit status: 0 stopped on request, 1 could not start, 2 usage or configuration, 3 heap exhausted.
      """;

  private static final Map<String, String> SETTINGS =
      Map.of(
          "--port", PORT,
          "--admin-port", ADMIN_PORT,
          "--address", "chatflow.address",
          "--broker", AMQP_URI,
          "--config", "chatflow.config");

  enum Action {
    RUN,
    CHECK,
    PRINT,
    GENERATE,
    UNPACK,
    HELP
  }

  LaunchOptions {
    if (servers < 1 || servers > MAX_SERVERS) {
      throw new IllegalArgumentException("servers: " + servers);
    }
    settings = Map.copyOf(settings);
  }

  /** Returns the help with the command that the user typed. */
  static String usage() {
    String launcher = System.getProperty("launcher.command");
    return launcher == null ? USAGE : USAGE.replace("java -jar chatflow.war", launcher + " up");
  }

  static LaunchOptions parse(List<String> arguments) throws LaunchException {
    Action action = Action.RUN;
    int servers = 1;
    boolean child = false;
    boolean secure = false;
    String ownKey = "";
    String unpackTo = "";
    String brokerFile = "";
    Map<String, String> settings = new HashMap<>();
    Iterator<String> rest = split(arguments).iterator();
    while (rest.hasNext()) {
      String option = rest.next();
      switch (option) {
        case "--help", "-h" -> action = Action.HELP;
        case "--check" -> action = Action.CHECK;
        case "--print-effective" -> action = Action.PRINT;
        case "--generate-config" -> action = Action.GENERATE;
        case "--unpack" -> {
          action = Action.UNPACK;
          unpackTo = value(option, rest);
        }
        case ServerProcess.CHILD_OPTION -> child = true;
        case "--secure" -> secure = true;
        case "--own-key" -> ownKey = value(option, rest);
        case "--broker-file" -> brokerFile = value(option, rest);
        case "--servers" -> servers = servers(value(option, rest));
        default -> settings.put(property(option), value(option, rest));
      }
    }
    ConfigSource source = source(settings);
    TokenSetup trial = secure ? secure(source) : ownKey.isEmpty() ? null : withKey(ownKey, source);
    boolean namesBroker = source.given("CHATFLOW_AMQP_URI") != null;
    return new LaunchOptions(
        action, servers, child, trial, unpackTo, brokerFile, namesBroker, settings);
  }

  private static ConfigSource source(Map<String, String> settings) throws LaunchException {
    Map<String, String> options = new HashMap<>();
    settings.forEach(
        (property, value) -> options.put(ConfigSource.environmentName(property), value));
    try {
      return ConfigSource.ofProcess(options);
    } catch (ConfigException e) {
      throw LaunchException.misconfigured(String.valueOf(e.getMessage()));
    }
  }

  private static TokenSetup secure(ConfigSource source) throws LaunchException {
    String own = set(source, "TLS_CERTIFICATE", "TLS_KEY", "TOKEN_KEYS", "AUTH");
    if (!own.isEmpty()) {
      throw LaunchException.misconfigured(
          "--secure creates a certificate and a token key: remove " + own);
    }
    return TokenSetup.secure();
  }

  private static @Nullable TokenSetup withKey(String file, ConfigSource source) {
    return set(source, "TOKEN_KEYS", "AUTH").isEmpty() ? TokenSetup.withKey(Path.of(file)) : null;
  }

  /** Returns those of the keys that are set, by their names; else empty. */
  private static String set(ConfigSource source, String... keys) {
    return Stream.of(keys)
        .map(key -> "CHATFLOW_" + key)
        .filter(key -> source.given(key) != null)
        .collect(Collectors.joining(", "));
  }

  /**
   * Returns whether the command line contains a password, which all users of the machine can read.
   */
  boolean showsPassword() {
    return BrokerConfig.holdsPassword(settings.getOrDefault(AMQP_URI, ""));
  }

  /** Splits {@code --port=80} into {@code --port 80}. */
  private static List<String> split(List<String> arguments) {
    return arguments.stream()
        .flatMap(argument ->
            argument.startsWith("--") && argument.contains("=")
                ? List.of(argument.split("=", 2)).stream()
                : List.of(argument).stream())
        .toList();
  }

  private static String property(String option) throws LaunchException {
    String property = SETTINGS.get(option);
    if (property == null) {
      throw LaunchException.misconfigured("unknown option " + option + " (see --help)");
    }
    return property;
  }

  private static String value(String option, Iterator<String> rest) throws LaunchException {
    if (!rest.hasNext()) {
      throw LaunchException.misconfigured(option + " needs a value (see --help)");
    }
    return rest.next();
  }

  private static int servers(String text) throws LaunchException {
    try {
      int servers = Integer.parseInt(text);
      if (servers >= 1 && servers <= MAX_SERVERS) {
        return servers;
      }
    } catch (NumberFormatException _) {
      // reported below
    }
    throw LaunchException.misconfigured(
        "--servers " + text + " is not a whole number from 1 to " + MAX_SERVERS);
  }
}
