package dev.chatflow.client.transport;

import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import javax.net.ssl.SSLException;

/** Why a connection or a page could not be had, in words for people. Pure. */
public final class Reason {
  private Reason() {}

  /** Looks through the causes: the JDK's outer exceptions often have no message. */
  public static String of(Throwable failure) {
    for (Throwable at = failure; at != null; at = at.getCause()) {
      String known = known(at);
      if (!known.isEmpty()) {
        return known;
      }
    }
    String message = failure.getMessage();
    return message == null ? failure.getClass().getSimpleName() : message;
  }

  private static String known(Throwable failure) {
    String message = String.valueOf(failure.getMessage());
    return switch (failure) {
      case UnknownHostException _ -> "host not found";
      case UnresolvedAddressException _ -> "host not found";
      case HttpTimeoutException _ -> "no answer in time";
      case SocketTimeoutException _ -> "no answer in time";
      case ConnectException refused when refused.getCause() == null ->
          message.equals("null") ? "connection refused" : decapitalised(message);
      case SSLException _ when isPlain(message) ->
          "this port speaks no TLS: use ws:// or http:// in place of wss:// or https://";
      case SSLException _ ->
          "certificate not trusted: "
              + message
              + "; --cacert names a file with its issuer, --insecure takes any";
      default -> "";
    };
  }

  private static boolean isPlain(String message) {
    return message.contains("plaintext") || message.contains("unrecognized SSL message");
  }

  private static String decapitalised(String text) {
    return Character.toLowerCase(text.charAt(0)) + text.substring(1);
  }
}
