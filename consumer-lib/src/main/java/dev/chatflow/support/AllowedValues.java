package dev.chatflow.support;

import com.google.errorprone.annotations.Immutable;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The allowed values of a key, for programs and for people.
 *
 * <p>Immutable and thread-safe. Times need a unit ({@code 5ms}, {@code 30s}, {@code 2m}, {@code
 * 1h}, {@code 30d}); sizes may have one ({@code 256KiB}, {@code 4MiB}, {@code 1GiB}; plain numbers
 * are bytes).
 */
@Immutable
public sealed interface AllowedValues {

  /** Returns the range, as the documentation shows it. */
  String range();

  /** Returns the end of the error "KEY=value is not ...". */
  String words();

  /** A number and an optional unit. */
  Pattern QUANTITY = Pattern.compile("([0-9]{1,12}) ?([A-Za-z]*)");

  /** Any text; its user validates it further. */
  record Text(String words) implements AllowedValues {
    @Override
    public String range() {
      return words;
    }
  }

  /** One of a few words. */
  @SuppressWarnings("Immutable") // the list is
  record OneOf(List<String> values) implements AllowedValues {

    /** {@code true} or {@code false}. */
    public static final OneOf FLAG = new OneOf(List.of("true", "false"));

    public OneOf {
      values = List.copyOf(values);
    }

    @Override
    public String range() {
      return String.join(", ", values);
    }

    @Override
    public String words() {
      return String.join(" or ", values);
    }
  }

  /** An integer. */
  record Whole(int least, int most) implements AllowedValues {

    /** Parses the number; null if the text is not allowed. */
    @Nullable Integer parse(String text) {
      try {
        int value = Integer.parseInt(text);
        return value >= least && value <= most ? value : null;
      } catch (NumberFormatException _) {
        return null;
      }
    }

    @Override
    public String range() {
      return least + " to " + most;
    }

    @Override
    public String words() {
      return "a whole number from " + range();
    }
  }

  /** An integer, or a word for none. */
  record WholeOr(String word, Whole whole) implements AllowedValues {
    @Override
    public String range() {
      return word + ", " + whole.range();
    }

    @Override
    public String words() {
      return word + " or " + whole.words();
    }
  }

  /** A size in bytes. */
  record Size(long least, long most) implements AllowedValues {
    private static final Map<String, Long> UNITS =
        Map.of("", 1L, "b", 1L, "kib", 1L << 10, "mib", 1L << 20, "gib", 1L << 30);

    /** Parses the bytes; null if the text is not allowed. */
    @Nullable Long parse(String text) {
      Matcher match = QUANTITY.matcher(text);
      Long unit = match.matches() ? UNITS.get(match.group(2).toLowerCase(Locale.ROOT)) : null;
      if (unit == null) {
        return null;
      }
      long count = Long.parseLong(match.group(1)); // few digits: only the product can overflow
      return count <= most / unit && count * unit >= least ? Long.valueOf(count * unit) : null;
    }

    @Override
    public String range() {
      return shown(least) + " to " + shown(most);
    }

    @Override
    public String words() {
      return "a size from " + range() + ", such as 256KiB or 4MiB";
    }

    /** Formats a size in the largest unit that divides it. */
    public static String shown(long bytes) {
      if (bytes > 0 && bytes % (1 << 30) == 0) {
        return (bytes >> 30) + "GiB";
      }
      if (bytes > 0 && bytes % (1 << 20) == 0) {
        return (bytes >> 20) + "MiB";
      }
      return bytes > 0 && bytes % (1 << 10) == 0 ? (bytes >> 10) + "KiB" : bytes + " bytes";
    }
  }

  /** A duration. */
  record Time(Duration least, Duration most) implements AllowedValues {
    private static final Map<String, Duration> UNITS =
        Map.of(
            "ms", Duration.ofMillis(1),
            "s", Duration.ofSeconds(1),
            "m", Duration.ofMinutes(1),
            "h", Duration.ofHours(1),
            "d", Duration.ofDays(1));

    /** Parses the duration; null if the text is not allowed. */
    @Nullable Duration parse(String text) {
      Matcher match = QUANTITY.matcher(text);
      Duration unit = match.matches() ? UNITS.get(match.group(2).toLowerCase(Locale.ROOT)) : null;
      if (unit == null) {
        return null;
      }
      Duration value = unit.multipliedBy(Long.parseLong(match.group(1)));
      return value.compareTo(least) >= 0 && value.compareTo(most) <= 0 ? value : null;
    }

    @Override
    public String range() {
      return shown(least) + " to " + shown(most);
    }

    @Override
    public String words() {
      return "a time from " + range() + ", such as 5ms, 30s or 2m";
    }

    private static String shown(Duration time) {
      long millis = time.toMillis();
      if (time.toDays() > 1 && time.equals(Duration.ofDays(time.toDays()))) {
        return time.toDays() + "d";
      }
      if (millis % 3_600_000 == 0 && millis > 0) {
        return millis / 3_600_000 + "h";
      }
      return millis % 1000 == 0 ? millis / 1000 + "s" : millis + "ms";
    }
  }
}
