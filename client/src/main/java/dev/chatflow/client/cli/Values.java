package dev.chatflow.client.cli;

import dev.chatflow.client.compat.Export;
import dev.chatflow.client.plan.Judging;
import dev.chatflow.client.plan.Pacing;
import dev.chatflow.client.plan.Preset;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses option values: durations, rates, counts, ranges. Pure. */
public final class Values {
  private static final Pattern DURATION = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)(ms|s|m|h)");
  private static final Pattern AMOUNT = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)([kKmM]?)(?:/s)?");

  private Values() {}

  /** Parses {@code 250ms}, {@code 10s}, {@code 5m}, {@code 1h}, or {@code 0}. */
  static Duration duration(String text) {
    if (text.equals("0")) {
      return Duration.ZERO;
    }
    Matcher matcher = DURATION.matcher(text);
    if (!matcher.matches()) {
      throw new TypeConversionException(
          "'" + text + "' must be a duration such as 250ms, 10s, 5m or 1h");
    }
    double unit =
        switch (matcher.group(2)) {
          case "ms" -> 1e6;
          case "s" -> 1e9;
          case "m" -> 60e9;
          default -> 3600e9;
        };
    return Duration.ofNanos((long) (Double.parseDouble(matcher.group(1)) * unit));
  }

  /** Parses {@code 500}, {@code 1k}, {@code 26.1k}, {@code 1m}, with or without {@code /s}. */
  static double amount(String text) {
    Matcher matcher = AMOUNT.matcher(text);
    if (!matcher.matches()) {
      throw new TypeConversionException("'" + text + "' must be a number such as 500, 1k or 26.1k");
    }
    double unit =
        switch (matcher.group(2).toLowerCase(Locale.ROOT)) {
          case "k" -> 1e3;
          case "m" -> 1e6;
          default -> 1;
        };
    return Double.parseDouble(matcher.group(1)) * unit;
  }

  /** Parses a percentage, with or without its sign, as a fraction. */
  public static double share(String text) {
    String digits = text.endsWith("%") ? text.substring(0, text.length() - 1) : text;
    if (!digits.matches("[0-9]+(\\.[0-9]+)?")) {
      throw new TypeConversionException("'" + text + "' must be a percentage such as 10%");
    }
    return Double.parseDouble(digits) / 100;
  }

  /** Two durations, the shorter first. */
  record Range(Duration min, Duration max) {}

  static Range range(String text) {
    int dots = text.indexOf("..");
    if (dots < 0) {
      throw new TypeConversionException("'" + text + "' must be a range such as 50ms..2s");
    }
    return new Range(duration(text.substring(0, dots)), duration(text.substring(dots + 2)));
  }

  /** Parses whole numbers such as {@code 26.1k}. */
  static final class CountConverter implements ITypeConverter<Long> {
    @Override
    public Long convert(String value) {
      return (long) amount(value);
    }
  }

  /** Parses a constant in lower case with dashes, such as {@code exactly-once}. */
  static <E extends Enum<E>> ITypeConverter<E> oneOf(Class<E> type) {
    return text -> {
      String constant = text.toUpperCase(Locale.ROOT).replace('-', '_');
      return Arrays.stream(type.getEnumConstants())
          .filter(one -> one.name().equals(constant))
          .findFirst()
          .orElseThrow(
              () -> new TypeConversionException("'" + text + "' must be one of " + words(type)));
    };
  }

  private static String words(Class<? extends Enum<?>> type) {
    return Arrays.stream(type.getEnumConstants())
        .map(one -> one.name().toLowerCase(Locale.ROOT).replace('_', '-'))
        .collect(Collectors.joining(", "));
  }

  /** Registers these notations for a command and its subcommands. */
  public static CommandLine accepted(CommandLine line) {
    return line.registerConverter(Duration.class, Values::duration)
        .registerConverter(Double.class, Values::amount)
        .registerConverter(double.class, Values::amount)
        .registerConverter(Range.class, Values::range)
        .registerConverter(Preset.class, WorkloadOptions::preset)
        .registerConverter(Judging.Level.class, oneOf(Judging.Level.class))
        .registerConverter(Pacing.Model.class, oneOf(Pacing.Model.class))
        .registerConverter(PacingOptions.Arrivals.class, oneOf(PacingOptions.Arrivals.class))
        .registerConverter(
            ConnectionOptions.Transport.class, oneOf(ConnectionOptions.Transport.class))
        .registerConverter(PrintOptions.Format.class, oneOf(PrintOptions.Format.class))
        .registerConverter(PrintOptions.Rows.class, oneOf(PrintOptions.Rows.class))
        .registerConverter(Export.class, oneOf(Export.class));
  }
}
