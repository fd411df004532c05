package dev.chatflow.client.cli;

import dev.chatflow.client.CommandFailure;
import dev.chatflow.client.transport.TokenKey;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads credentials on the command line, for connections only. Pure. */
final class Secrets {
  private static final Pattern USER = Pattern.compile("(?<=://)([^/@\\s]*)@");
  private static final Pattern HEADER = Pattern.compile("[A-Za-z0-9-]{1,64}:[\\x20-\\x7e]{0,4096}");

  private Secrets() {}

  /** Returns a valid header line. */
  static String header(String text) {
    if (!HEADER.matcher(text).matches()) {
      throw CommandFailure.usage("--header must be NAME:VALUE in printable ASCII");
    }
    return text;
  }

  /** Returns a token, or the first line of the file in {@code @FILE}. */
  static String token(String text) {
    String token = text.startsWith("@") ? firstLine(text.substring(1)) : text;
    if (!token.matches("[\\x21-\\x7e]{1,4096}")) {
      throw CommandFailure.usage("--token must be 1 to 4096 printable ASCII characters");
    }
    return token;
  }

  /** Reads a key that signs tokens. */
  static TokenKey key(String option, Path file) {
    try {
      return TokenKey.read(file);
    } catch (IOException e) {
      throw CommandFailure.usage(option + " cannot use " + file + ": " + e.getMessage());
    }
  }

  static InetAddress address(String text) {
    try {
      return InetAddress.getByName(text);
    } catch (UnknownHostException e) {
      throw CommandFailure.usage(
          "--local-address must be an address of this machine, found " + text);
    }
  }

  /** Returns the header for a URL with user and password; empty without. */
  static String basicOf(String url) {
    Matcher user = USER.matcher(url);
    return user.find()
        ? "Authorization: Basic "
            + Base64.getEncoder().encodeToString(user.group(1).getBytes(StandardCharsets.UTF_8))
        : "";
  }

  static String withoutUser(String url) {
    return USER.matcher(url).replaceFirst("");
  }

  private static String firstLine(String file) {
    try (var lines = Files.lines(Path.of(file))) {
      return lines.findFirst().orElse("").strip();
    } catch (IOException e) {
      throw CommandFailure.usage("--token: cannot read " + file);
    }
  }
}
