/** What the admin listener answers, and the page for operators that it serves. */
@NullMarked
package dev.chatflow.server.admin;

import org.jspecify.annotations.NullMarked;
