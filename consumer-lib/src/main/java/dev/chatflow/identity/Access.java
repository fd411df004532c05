package dev.chatflow.identity;

import com.nimbusds.jose.util.DefaultResourceRetriever;
import dev.chatflow.support.AddressRates;
import dev.chatflow.support.Secrets;
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
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides about access: verifies tokens with keys from files and addresses, and checks denied
 * users.
 *
 * <p>Files are read again every {@value #FILE_SECONDS} s and addresses every {@value
 * #ADDRESS_SECONDS} s on separate threads, so no request waits for them. Thread-safe.
 */
public final class Access implements AutoCloseable {

  static final int FILE_SECONDS = 5;
  static final int ADDRESS_SECONDS = 60;

  private static final Logger log = LoggerFactory.getLogger(Access.class);

  private static final int MAX_KEY_BYTES = 1 << 18;
  private static final int MAX_DENIED_BYTES = 1 << 22;
  private static final Duration CONNECT_PATIENCE = Duration.ofSeconds(3);
  private static final Duration READ_PATIENCE = Duration.ofSeconds(5);

  private final boolean open;
  private final List<ReloadedContent<List<TokenKey>>> keys = new ArrayList<>();
  private final TokenReader tokens;
  private final VerifiedTokens verified = new VerifiedTokens();
  private final AddressRates rates;
  private final LongAdder failures = new LongAdder();
  private final ScheduledThreadPoolExecutor readers;
  private final Supplier<Set<String>> denied;

  /** The sources to read again, with their intervals in seconds. */
  private final Map<ReloadedContent<?>, Integer> again = new HashMap<>();

  private Access(AccessConfig config, String threadPrefix) throws IOException {
    rates = new AddressRates(config.ratePerSecond());
    open = config.isOpen();
    tokens = new TokenReader(this::keys, config.required(), config.names());
    readers =
        new ScheduledThreadPoolExecutor(
            1 + config.files().size() + config.addresses().size(),
            Thread.ofVirtual().name(threadPrefix + "access").factory());
    for (Path file : config.files()) {
      keys.add(watched(file, MAX_KEY_BYTES, bytes -> KeyText.ofFile(bytes, skipped(file))));
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
   * @param threadPrefix prefix of the reading threads
   * @throws IOException if one cannot be read or used; the message names it and the problem
   */
  public static Access of(AccessConfig config, String threadPrefix) throws IOException {
    return new Access(config, threadPrefix);
  }

  /** Creates access without tokens: every client may use any user id. */
  public static Access open() {
    return open(0);
  }

  /** As {@link #open()}, but with a limit on requests per second from one address. */
  public static Access open(int ratePerSecond) {
    try {
      return new Access(AccessConfig.OPEN.withRate(ratePerSecond), "");
    } catch (IOException e) {
      throw new UncheckedIOException("there is nothing to read", e);
    }
  }

  public void start() {
    again.forEach((watched, seconds) -> {
      var _ = readers.scheduleWithFixedDelay(watched, seconds, seconds, TimeUnit.SECONDS);
    });
  }

  private <T> ReloadedContent<T> watched(Path file, int most, Function<byte[], T> make)
      throws IOException {
    return again(
        new ReloadedContent<>(file.toString(), () -> read(file, most), make, failures::increment),
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

  private ReloadedContent<List<TokenKey>> watched(URI address) throws IOException {
    var retriever =
        new DefaultResourceRetriever(
            (int) CONNECT_PATIENCE.toMillis(), (int) READ_PATIENCE.toMillis(), MAX_KEY_BYTES);
    return again(
        new ReloadedContent<>(
            Secrets.masked(address.toString()),
            () -> keysAt(address, retriever),
            bytes -> KeyText.ofAddress(bytes, skipped(Secrets.masked(address.toString()))),
            failures::increment),
        ADDRESS_SECONDS);
  }

  /** Returns the keys of an address, or those that its discovery document names. */
  private static byte[] keysAt(URI address, DefaultResourceRetriever retriever) throws IOException {
    byte[] content = retrieved(address, retriever);
    String keys = KeyText.keysAddress(content);
    return keys == null ? content : retrieved(AccessConfig.address(keys), retriever);
  }

  private static byte[] retrieved(URI address, DefaultResourceRetriever retriever)
      throws IOException {
    return retriever
        .retrieveResource(address.toURL())
        .getContent()
        .getBytes(StandardCharsets.UTF_8);
  }

  private static Consumer<String> skipped(Object source) {
    return key -> log.warn("{}: a key is not used: {}", source, key);
  }

  private <T> ReloadedContent<T> again(ReloadedContent<T> watched, int seconds) {
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

  /** Returns whether access needs no token. */
  public boolean isOpen() {
    return open;
  }

  /**
   * Checks a request: first the rate of its address, then its token. Verifying a signature costs up
   * to 3 ms of CPU, so it comes last. Services have a separate budget: a request with a service
   * token that was verified before is not counted.
   *
   * @param address of the client, behind trusted proxies
   * @param token the token of the request, or null
   * @param nowMillis the wall clock
   * @param nowNanos of {@link System#nanoTime}
   */
  public TokenVerdict judge(String address, @Nullable String token, long nowMillis, long nowNanos) {
    TokenVerdict known = recall(token, nowMillis);
    if (known != null && isService(known)) {
      return known;
    }
    long wait = rates.take(address, nowNanos);
    if (wait > 0) {
      return new TokenVerdict.TooMany(wait);
    }
    TokenVerdict verdict = known == null ? judge(token, nowMillis) : known;
    if (isService(verdict)) {
      rates.giveBack(address);
    }
    return verdict;
  }

  private static boolean isService(TokenVerdict verdict) {
    return verdict instanceof TokenVerdict.Known(Identity identity) && identity.isService();
  }

  /**
   * Counts a request for a file of the page.
   *
   * @param nowNanos of {@link System#nanoTime}
   * @return 0, or the ms to wait until one is allowed
   */
  public long waitForFile(String address, long nowNanos) {
    return rates.takeFile(address, nowNanos);
  }

  /** Returns the rates of addresses, for meters. */
  public AddressRates rates() {
    return rates;
  }

  /** Checks only a token, without counting a request. */
  public TokenVerdict judge(@Nullable String token, long nowMillis) {
    TokenVerdict known = recall(token, nowMillis);
    if (known != null) {
      return known;
    }
    TokenVerdict verdict = tokens.judge(token, nowMillis);
    if (token != null && verdict instanceof TokenVerdict.Known(Identity identity)) {
      verified.remember(token, identity);
    }
    return unlessDenied(verdict);
  }

  /**
   * Returns the verdict on a token that needs no verification of its signature; null if one is
   * needed.
   */
  @Nullable TokenVerdict recall(@Nullable String token, long nowMillis) {
    if (open) {
      return new TokenVerdict.Known(Identity.ANYBODY);
    }
    if (token == null) {
      return tokens.judge(null, nowMillis);
    }
    Identity identity = verified.find(token);
    return identity == null ? null : unlessDenied(tokens.judgeAgain(identity, nowMillis));
  }

  private TokenVerdict unlessDenied(TokenVerdict verdict) {
    return verdict instanceof TokenVerdict.Known(Identity identity) && isDenied(identity.subject())
        ? new TokenVerdict.Unknown("access of this user was revoked", false)
        : verdict;
  }

  /**
   * Returns whether a client must leave before its token expires, because the user was denied or
   * the key that signed it was removed.
   */
  public boolean isRevoked(Identity identity) {
    return isDenied(identity.subject()) || !(open || isKnown(identity.signedBy()));
  }

  private boolean isKnown(String print) {
    return keys.stream()
        .flatMap(each -> each.get().stream())
        .anyMatch(key -> key.print().equals(print));
  }

  /** Returns whether a user is denied access, regardless of the token. */
  public boolean isDenied(String userId) {
    return denied.get().contains(userId);
  }

  /** Returns how often reading keys or denied users again failed. */
  public long failures() {
    return failures.sum();
  }

  @Override
  public void close() {
    readers.shutdownNow();
  }
}
