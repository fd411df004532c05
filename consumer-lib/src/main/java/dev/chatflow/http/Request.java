package dev.chatflow.http;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * What is asked of a listener.
 *
 * @param method {@code GET} also for a {@code HEAD}, whose answer goes out without its body
 * @param accept the Accept header, or null
 * @param local whether it comes from this machine
 */
public record Request(String method, URI uri, @Nullable String accept, boolean local) {}
