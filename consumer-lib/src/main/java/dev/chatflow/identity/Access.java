package dev.chatflow.identity;

import com.nimbusds.jose.util.DefaultResourceRetriever;
import dev.chatflow.config.Secrets;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Who is let in: judges tokens by the keys of files and addresses, and knows who is denied.
 *
 * <p>Files are read again every {@value #FILE_SECONDS} s, addresses every {@value #ADDRESS_SECONDS}
 * s, on threads of their own: nobody who is judged waits for either. Any thread may ask.
 */
public final class Access implements AutoCloseable {

  static final int FILE_SECONDS = 5;
  static final int ADDRESS_SECONDS = 60;

  private static final int MAX_KEY_BYTES = 1 << 18;
  private static final int MAX_DENIED_BYTES = 1 << 22;
  private static final Duration CONNECT_PATIENCE = Duration.ofSeconds(3);
  private static final Duration READ_PATIENCE = Duration.ofSeconds(5);

  private final boolean open;
  private final List<Watched<List<TokenKey>>> keys = new ArrayList<>();
  private final TokenReader tokens = new TokenReader(this::keys);
  private final LongAdder failures = new LongAdder();
  private final ScheduledThreadPoolExecutor readers;
  private final Supplier<Set<String>> denied;

  /** What is read again, and after how many seconds. */
  private final Map<Watched<?>, Integer> again = new HashMap<>();

  private Access(AccessConfig config, String threadPrefix) throws IOException {
    open = config.isOpen();
    readers =
        new ScheduledThreadPoolExecutor(
            1 + config.files().size() + config.addresses().size(),
            Thread.ofVirtual().name(threadPrefix + "access").factory());
    for (Path file : config.files()) {
      keys.add(watched(file, MAX_KEY_BYTES, KeyText::ofFile));
    }
    for (URI address : config.addresses()) {
      keys.add(watched(address));
    }
    Path users = config.denied();
    denied = users == null ? Set::of : watched(users, MAX_DENIED_BYTES, Access::lines);
  }

  /**
   * Reads keys and denied users for the first time; {@link #start} begins to read them again.
   *
   * @param threadPrefix of the threads that do
   * @throws IOException when one cannot be read or used; the message names it and what is wrong
   */
  public static Access of(AccessConfig config, String threadPrefix) throws IOException {
    return new Access(config, threadPrefix);
  }

  /** Nobody is asked for a token: anybody may be anybody. */
  public static Access open() {
    try {
      return new Access(AccessConfig.OPEN, "");
    } catch (IOException e) {
      throw new UncheckedIOException("there is nothing to read", e);
    }
  }

  public void start() {
    again.forEach((watched, seconds) -> {
      var _ = readers.scheduleWithFixedDelay(watched, seconds, seconds, TimeUnit.SECONDS);
    });
  }

  private <T> Watched<T> watched(Path file, int most, Function<byte[], T> make) throws IOException {
    return again(
        new Watched<>(file.toString(), () -> read(file, most), make, failures::increment),
        FILE_SECONDS);
  }

  private static byte[] read(Path file, int most) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] content = in.readNBytes(most + 1);
      if (content.length > most) {
        throw new IOException("more than " + most + " bytes");
      }
      return content;
    }
  }

  private Watched<List<TokenKey>> watched(URI address) throws IOException {
    var retriever =
        new DefaultResourceRetriever(
            (int) CONNECT_PATIENCE.toMillis(), (int) READ_PATIENCE.toMillis(), MAX_KEY_BYTES);
    Watched.Content content =
        () ->
            retriever
                .retrieveResource(address.toURL())
                .getContent()
                .getBytes(StandardCharsets.UTF_8);
    return again(
        new Watched<>(
            Secrets.masked(address.toString()), content, KeyText::ofAddress, failures::increment),
        ADDRESS_SECONDS);
  }

  private <T> Watched<T> again(Watched<T> watched, int seconds) {
    again.put(watched, seconds);
    return watched;
  }

  private static Set<String> lines(byte[] content) {
    return new String(content, StandardCharsets.UTF_8)
        .lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty())
        .collect(Collectors.toUnmodifiableSet());
  }

  private List<TokenKey> keys() {
    return keys.stream().flatMap(each -> each.get().stream()).toList();
  }

  /** Whether nobody is asked for a token: anybody may be anybody. */
  public boolean isOpen() {
    return open;
  }

  /**
   * Who somebody is.
   *
   * @param token what his request carried, or null
   * @param nowMillis the wall clock
   */
  public Verdict judge(@Nullable String token, long nowMillis) {
    if (open) {
      return new Verdict.Known(Identity.ANYBODY);
    }
    return switch (tokens.judge(token, nowMillis)) {
      case Verdict.Known(Identity identity) when isDenied(identity.subject()) ->
          new Verdict.Unknown("this user is not let in any more", false);
      case Verdict verdict -> verdict;
    };
  }

  /**
   * Whether somebody who was let in may stay no longer, however long his token would be good: he is
   * denied, or the key that signed it is none of ours any more.
   */
  public boolean isRevoked(Identity identity) {
    return isDenied(identity.subject()) || !(open || isKnown(identity.signedBy()));
  }

  private boolean isKnown(String print) {
    return keys.stream()
        .flatMap(each -> each.get().stream())
        .anyMatch(key -> key.print().equals(print));
  }

  /** Whether a user is not let in, whatever token speaks for him. */
  public boolean isDenied(String userId) {
    return denied.get().contains(userId);
  }

  /** How often keys or denied users could not be read again. */
  public long failures() {
    return failures.sum();
  }

  @Override
  public void close() {
    readers.shutdownNow();
  }
}
