package dev.chatflow.support;

import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request to a listener.
 *
 * @param method {@code GET} also for a {@code HEAD}, whose response is sent without its body
 * @param accept the Accept header, or null
 * @param authorization the lines of the Authorization header
 * @param page whether it comes from a page of the listener, as reported by browsers, which they do
 *     for every {@code POST}
 * @param local whether it comes from this machine
 * @param address the address of the client
 */
public record Request(
    String method,
    URI uri,
    @Nullable String accept,
    List<String> authorization,
    boolean page,
    boolean local,
    String address) {}
