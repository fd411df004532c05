/**
 * Files, texts and workloads in the forms of other programs, each type named after the program
 * whose form it is; docs/lab/compat.md says whose they are and why they are kept.
 */
@NullMarked
package dev.chatflow.client.compat;

import org.jspecify.annotations.NullMarked;
