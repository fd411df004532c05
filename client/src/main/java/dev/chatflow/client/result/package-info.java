/**
 * A finished run with what follows from it: the registry of figures, objectives, the verdict, its
 * course; and how it is stored. No report is written here.
 */
@NullMarked
package dev.chatflow.client.result;

import org.jspecify.annotations.NullMarked;
