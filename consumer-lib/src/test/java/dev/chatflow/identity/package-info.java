/** Tests of tokens, and an issuer of them for the tests of others. */
@NullMarked
package dev.chatflow.identity;

import org.jspecify.annotations.NullMarked;
