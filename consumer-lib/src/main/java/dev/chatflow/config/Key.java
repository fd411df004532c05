package dev.chatflow.config;

import java.util.Locale;

/**
 * One key of a program's configuration. A program's keys are an enum, the one place that names
 * them, with default, range and meaning.
 */
public interface Key {

  /** Such as {@code CHATFLOW_LANE_PACE}. */
  String environmentName();

  /** Such as {@code chatflow.lane.pace}. */
  default String propertyName() {
    return environmentName().toLowerCase(Locale.ROOT).replace('_', '.');
  }

  /** The default as documented; some are worked out at start. */
  String defaultText();

  Allowed allowed();

  /** One phrase for people. */
  String meaning();
}
