/**
 * Authentication and authorization with signed tokens: verification keys, allowed rooms and names,
 * denied users. No other package uses the token library.
 *
 * <p>Other packages use {@link dev.chatflow.identity.Access}, the {@link
 * dev.chatflow.identity.Identity} it returns, and {@link dev.chatflow.identity.Credentials}, which
 * finds the token of a request.
 */
@NullMarked
package dev.chatflow.identity;

import org.jspecify.annotations.NullMarked;
