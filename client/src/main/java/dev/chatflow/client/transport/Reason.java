package dev.chatflow.client.transport;

import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.security.cert.CertificateException;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;

/** Describes for people why a connection or a page is unavailable. Pure. */
public final class Reason {
  private Reason() {}

  /**
   * Describes a failure by its causes, because the JDK's outer exceptions often have no message.
   */
  public static String of(Throwable failure) {
    List<Throwable> causes = causes(failure).toList();
    Stream<String> words =
        Stream.concat(
            causes.stream().map(Reason::special), causes.stream().map(Reason::ofConnecting));
    String message = failure.getMessage();
    return words
        .filter(text -> !text.isEmpty())
        .findFirst()
        .orElse(message == null ? failure.getClass().getSimpleName() : message);
  }

  private static Stream<Throwable> causes(Throwable failure) {
    return Stream.iterate(failure, Objects::nonNull, Throwable::getCause);
  }

  private static String special(Throwable failure) {
    String message = String.valueOf(failure.getMessage());
    return switch (failure) {
      case UnknownHostException _ -> "host not found";
      case UnresolvedAddressException _ -> "host not found";
      case HttpTimeoutException _ -> "no answer in time";
      case SocketTimeoutException _ -> "no answer in time";
      case SSLException _ when isPlain(message) ->
          "this port does not use TLS: use ws:// or http:// instead of wss:// or https://";
      case SSLException _ when causes(failure).anyMatch(CertificateException.class::isInstance) ->
          "certificate not trusted: "
              + message
              + "; trust its issuer with --cacert FILE, or any certificate with --insecure";
      case SSLException _ -> "TLS failed: " + message;
      default -> "";
    };
  }

  /** Describes a failed connect, whose exception often has no message. */
  private static String ofConnecting(Throwable failure) {
    String message = failure.getMessage();
    return !(failure instanceof ConnectException)
        ? ""
        : message == null ? "connection refused" : decapitalised(message);
  }

  private static boolean isPlain(String message) {
    return message.contains("plaintext") || message.contains("unrecognized SSL message");
  }

  private static String decapitalised(String text) {
    return Character.toLowerCase(text.charAt(0)) + text.substring(1);
  }
}
