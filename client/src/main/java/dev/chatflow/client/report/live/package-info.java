/** What is seen of a run while it runs: a line on the terminal, and a page. */
@NullMarked
package dev.chatflow.client.report.live;

import org.jspecify.annotations.NullMarked;
