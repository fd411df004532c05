/** Questions over HTTP beside the data path: a listener, and answers in JSON. */
@NullMarked
package dev.chatflow.http;

import org.jspecify.annotations.NullMarked;
