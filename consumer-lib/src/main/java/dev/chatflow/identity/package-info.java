/**
 * Who somebody is and which rooms are open to him, by a signed token; the keys that tokens are
 * judged by, and who is denied in spite of one. The only package that knows the token library.
 *
 * <p>Offered to others: {@link dev.chatflow.identity.Access}, the {@link
 * dev.chatflow.identity.Identity} it finds, and {@link dev.chatflow.identity.Credentials}, which
 * finds the token in a request.
 */
@NullMarked
package dev.chatflow.identity;

import org.jspecify.annotations.NullMarked;
