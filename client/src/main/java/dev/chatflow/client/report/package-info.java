/** Reports for people and programs: text, JSON, pages with SVG charts, files, and live progress. */
@NullMarked
package dev.chatflow.client.report;

import org.jspecify.annotations.NullMarked;
