/** How each program of this project starts and is asked to stop; compiled into every jar. */
package dev.chatflow.start;
