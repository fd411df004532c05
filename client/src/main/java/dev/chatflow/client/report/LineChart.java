package dev.chatflow.client.report;

import dev.chatflow.client.record.Series;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/** A small SVG line chart with axes at round numbers. Stateless. */
final class LineChart {
  private static final int WIDTH = 900;
  private static final int HEIGHT = 220;
  private static final int LEFT = 80;
  private static final int BOTTOM = 190;
  private static final int TOP = 12;
  private static final String[] COLOURS = {"#2a6fb0", "#d1782b", "#9a4fb3"};
  private static final double[] SPECTRUM = {0, 10, 25, 50, 75, 90, 95, 99, 99.5, 99.9, 99.99, 100};

  private LineChart() {}

  static String of(double[] x, String unit, List<double[]> lines) {
    double maxX = Arrays.stream(x).max().orElse(1);
    return draw(x, maxX, unit, lines, false);
  }

  /**
   * Latency over percentile of the delivery series, every step of the axis one of {@link
   * #SPECTRUM}.
   */
  static String percentiles(RunResult result) {
    Histogram histogram = result.record().series().of(Series.DELIVERY, result.mainClock());
    double[] x = new double[SPECTRUM.length];
    double[] y = new double[SPECTRUM.length];
    for (int i = 0; i < SPECTRUM.length; i++) {
      x[i] = i;
      y[i] = histogram.getValueAtPercentile(SPECTRUM[i]) / 1e3;
    }
    return draw(x, SPECTRUM.length - 1.0, "ms", List.of(y), true);
  }

  private static String draw(
      double[] x, double maxX, String unit, List<double[]> lines, boolean spectrum) {
    double maxY = lines.stream().flatMapToDouble(Arrays::stream).max().orElse(1);
    double step = roundStep(maxY);
    double top = Math.max(step, Math.ceil(maxY / step) * step);
    StringBuilder svg = new StringBuilder(4096);
    svg.append("<svg viewBox=\"0 0 ").append(WIDTH).append(' ').append(HEIGHT);
    svg.append("\" role=\"img\" font-size=\"11\" fill=\"currentColor\">");
    for (double tick = 0; tick <= top + step / 2; tick += step) {
      double at = BOTTOM - tick / top * (BOTTOM - TOP);
      line(svg, LEFT, at, WIDTH - 10.0, at);
      text(svg, LEFT - 6.0, at + 4, "end", label(tick) + (tick == 0 ? " " + unit : ""));
    }
    labels(svg, maxX, spectrum);
    for (int i = 0; i < lines.size(); i++) {
      polyline(svg, x, lines.get(i), maxX, top, COLOURS[i % COLOURS.length]);
    }
    return svg.append("</svg>").toString();
  }

  private static void labels(StringBuilder svg, double maxX, boolean spectrum) {
    if (spectrum) {
      for (int i = 0; i < SPECTRUM.length; i++) {
        text(svg, placeX(i, maxX), BOTTOM + 18.0, "middle", "p" + label(SPECTRUM[i]));
      }
      return;
    }
    double step = roundStep(maxX);
    for (double tick = 0; tick <= maxX; tick += step) {
      text(svg, placeX(tick, maxX), BOTTOM + 18.0, "middle", label(tick) + " s");
    }
  }

  private static void polyline(
      StringBuilder svg, double[] x, double[] y, double maxX, double top, String colour) {
    svg.append("<polyline fill=\"none\" stroke-width=\"1.6\" stroke=\"").append(colour);
    svg.append("\" points=\"");
    for (int i = 0; i < x.length; i++) {
      double at = BOTTOM - y[i] / top * (BOTTOM - TOP);
      svg.append(String.format(Locale.ROOT, "%.1f,%.1f ", placeX(x[i], maxX), at));
    }
    svg.append("\"/>");
  }

  private static double placeX(double x, double maxX) {
    return LEFT + x / Math.max(1e-9, maxX) * (WIDTH - LEFT - 20);
  }

  private static void line(StringBuilder svg, double x1, double y1, double x2, double y2) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"currentColor\""
                + " opacity=\".15\"/>",
            x1,
            y1,
            x2,
            y2));
  }

  private static void text(StringBuilder svg, double x, double y, String anchor, String text) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>",
            x,
            y,
            anchor,
            HtmlReport.escape(text)));
  }

  /** A step of 1, 2 or 5 times a power of ten that makes about five ticks. */
  static double roundStep(double max) {
    double raw = Math.max(max, 1e-6) / 5;
    double power = Math.pow(10, Math.floor(Math.log10(raw)));
    double digit = raw / power;
    return power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
  }

  private static String label(double value) {
    if (value >= 10_000) {
      return Numbers.brief(value);
    }
    return value == Math.rint(value)
        ? Long.toString((long) value)
        : String.format(Locale.ROOT, "%.4f", value).replaceFirst("0+$", "");
  }
}
