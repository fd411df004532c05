/** How the users of a run have a token that is good, for as long as the run lasts. */
@NullMarked
package dev.chatflow.client.engine.token;

import org.jspecify.annotations.NullMarked;
