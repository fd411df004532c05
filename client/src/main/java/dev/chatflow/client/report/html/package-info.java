/** A result as a page with pictures that needs no network. */
@NullMarked
package dev.chatflow.client.report.html;

import org.jspecify.annotations.NullMarked;
