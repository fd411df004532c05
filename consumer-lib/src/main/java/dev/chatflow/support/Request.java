package dev.chatflow.support;

import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is asked of a listener.
 *
 * @param method {@code GET} also for a {@code HEAD}, whose answer goes out without its body
 * @param accept the Accept header, or null
 * @param authorization the lines of the Authorization header
 * @param page whether a page of the listener's own asks, as far as browsers say: they do with every
 *     {@code POST}
 * @param local whether it comes from this machine
 * @param address where it comes from
 */
public record Request(
    String method,
    URI uri,
    @Nullable String accept,
    List<String> authorization,
    boolean page,
    boolean local,
    String address) {}
