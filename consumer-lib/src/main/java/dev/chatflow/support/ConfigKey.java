package dev.chatflow.support;

import com.google.errorprone.annotations.Immutable;
import java.util.List;
import java.util.stream.Collectors;

/**
 * One key of a program's configuration. A program's keys are an enum, the one place that names
 * them, with default, range and meaning.
 */
public interface ConfigKey {

  /**
   * What a key is.
   *
   * @param environmentName such as {@code CHATFLOW_LANE_BYTES}
   * @param defaultText the default as documented; some are worked out at start
   * @param allowed what its value may be
   * @param meaning one phrase for people
   */
  @Immutable
  record Spec(String environmentName, String defaultText, Allowed allowed, String meaning) {}

  Spec spec();

  /** Such as {@code CHATFLOW_LANE_BYTES}. */
  default String environmentName() {
    return spec().environmentName();
  }

  /** Such as {@code chatflow.lane.bytes}. */
  default String propertyName() {
    return ConfigSource.propertyName(environmentName());
  }

  /** The default as documented; some are worked out at start. */
  default String defaultText() {
    return spec().defaultText();
  }

  default Allowed allowed() {
    return spec().allowed();
  }

  /** One phrase for people. */
  default String meaning() {
    return spec().meaning();
  }

  /**
   * A file of these keys to start from: above each, in comments, what it means and what it may be.
   * None is set.
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
