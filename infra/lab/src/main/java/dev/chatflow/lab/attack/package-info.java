/** Known attacks on servers, as programs at the protocol level: all of them must fail. */
@NullMarked
package dev.chatflow.lab.attack;

import org.jspecify.annotations.NullMarked;
