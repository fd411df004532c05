/**
 * The standalone consumer, a program of its own: records what the cluster said, and answers
 * questions about it over HTTP. Offers nothing to other packages.
 */
@NullMarked
package dev.chatflow.standalone;

import org.jspecify.annotations.NullMarked;
