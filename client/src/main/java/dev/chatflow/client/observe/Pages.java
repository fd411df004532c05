package dev.chatflow.client.observe;

import java.net.http.HttpClient;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** Makes what the observers ask pages with. Stateless. */
public final class Pages {
  private Pages() {}

  /**
   * A client for HTTP and HTTPS, version 1.1: brokers end idle connections of version 2.
   *
   * @param certificates what a page's certificate is checked against; null: the system's
   */
  public static HttpClient client(Duration timeout, @Nullable SSLContext certificates) {
    HttpClient.Builder builder =
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(timeout);
    return (certificates == null ? builder : builder.sslContext(certificates)).build();
  }
}
