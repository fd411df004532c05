package dev.chatflow.support;

import com.google.errorprone.annotations.Immutable;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A configuration key of a program. The keys of a program are an enum with their defaults, ranges
 * and meanings.
 */
public interface ConfigKey {

  /**
   * The definition of a key.
   *
   * @param environmentName such as {@code CHATFLOW_LANE_BYTES}
   * @param defaultText the documented default; some are computed at start
   * @param allowed the allowed values
   * @param meaning one phrase for people
   */
  @Immutable
  record Spec(String environmentName, String defaultText, AllowedValues allowed, String meaning) {}

  Spec spec();

  /** Returns a name such as {@code CHATFLOW_LANE_BYTES}. */
  default String environmentName() {
    return spec().environmentName();
  }

  /** Returns a name such as {@code chatflow.lane.bytes}. */
  default String propertyName() {
    return ConfigSource.propertyName(environmentName());
  }

  /** Returns the documented default; some are computed at start. */
  default String defaultText() {
    return spec().defaultText();
  }

  default AllowedValues allowed() {
    return spec().allowed();
  }

  /** Returns one phrase for people. */
  default String meaning() {
    return spec().meaning();
  }

  /**
   * Returns a configuration file as a template: each key is commented out, below its meaning and
   * range.
   */
  static String template(List<? extends ConfigKey> keys) {
    return keys.stream()
        .map(key ->
            "# %s\n# %s%s\n#%s=%s\n"
                .formatted(
                    key.meaning(),
                    key.allowed().range(),
                    key.defaultText().isEmpty() ? "" : "; default " + key.defaultText(),
                    key.environmentName(),
                    key.defaultText()))
        .collect(Collectors.joining("\n"));
  }
}
