/** What strangers have done to servers, as programs at the wire: each must get nothing from it. */
@NullMarked
package dev.chatflow.lab.attack;

import org.jspecify.annotations.NullMarked;
