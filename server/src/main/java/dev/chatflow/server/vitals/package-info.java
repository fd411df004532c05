/** What a server tells about itself, as values; knows nobody who says or asks it. */
@NullMarked
package dev.chatflow.server.vitals;

import org.jspecify.annotations.NullMarked;
