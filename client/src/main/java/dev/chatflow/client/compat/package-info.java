/**
 * Files, texts and workloads in the formats of other programs. Each type is named after its
 * program; docs/lab/compat.md describes the programs and why the formats are kept.
 */
@NullMarked
package dev.chatflow.client.compat;

import org.jspecify.annotations.NullMarked;
