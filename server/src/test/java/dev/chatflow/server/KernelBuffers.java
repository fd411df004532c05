package dev.chatflow.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

/** The kernel's buffer bounds for the connections of a server, from {@code ss}. */
public final class KernelBuffers {

  /** 128 KiB as set; the kernel doubles them. */
  public static final long BOUND = 256 << 10;

  /** The kernel's bound for data to send, in bytes with its overhead. */
  private static final Pattern TO_SEND = Pattern.compile("skmem:\\([^)]*,tb(\\d+),");

  private KernelBuffers() {}

  /**
   * Returns the bound of every open connection that a server on this port has accepted.
   *
   * @throws IllegalStateException with the output of {@code ss} if it is unexpected
   */
  public static List<Long> toSend(int port) throws IOException, InterruptedException {
    Process ss =
        new ProcessBuilder("ss", "-tmnOH", "state", "established", "sport = :" + port)
            .redirectErrorStream(true)
            .start();
    String shown = new String(ss.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    List<Long> bounds =
        TO_SEND.matcher(shown).results().map(each -> Long.valueOf(each.group(1))).toList();
    int status = ss.waitFor();
    if (status != 0 || bounds.isEmpty()) {
      throw new IllegalStateException("ss ended with " + status + " and said: '" + shown + "'");
    }
    return bounds;
  }
}
