package dev.chatflow.client.result;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a run is called and how it was asked for. Immutable.
 *
 * @param arguments the command line
 * @param options effective options, {@code name=value (origin)}
 * @param apdex target of the APDEX; zero when not asked for
 */
public record Tag(
    String label,
    String version,
    Map<String, String> notes,
    List<String> arguments,
    List<String> options,
    Duration apdex) {
  public Tag {
    notes = Collections.unmodifiableMap(new LinkedHashMap<>(notes));
    arguments = List.copyOf(arguments);
    options = List.copyOf(options);
  }
}
