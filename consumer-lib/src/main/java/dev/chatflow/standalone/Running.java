package dev.chatflow.standalone;

import dev.chatflow.http.HostHeader;
import dev.chatflow.http.HttpListener;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/** A standalone consumer as its program sees it, whatever it keeps its records in. Any thread. */
interface Running extends AutoCloseable {

  void start();

  /** Where it answers. */
  URI url();

  /** Whether all that is said from now on is recorded. */
  boolean isReady();

  /** Why it cannot go on; or null. */
  @Nullable Exception failure();

  /** What it waits for at its start, in words. */
  String needs();

  /** Why it does not record, in words for an operator. */
  String trouble();

  /** Records what was handed over, then ends. */
  @Override
  void close();

  static URI url(HttpListener http) {
    String host = HostHeader.reachable(http.address().getAddress().getHostAddress());
    return URI.create(http.scheme() + "://" + host + ":" + http.address().getPort());
  }
}
