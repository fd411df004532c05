/** The load client: types that all parts share, such as exit codes and the version. */
@NullMarked
package dev.chatflow.client;

import org.jspecify.annotations.NullMarked;
