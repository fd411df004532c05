package dev.chatflow.client.report;

import java.util.Locale;

/** Writes SVG elements; text is escaped. Belongs to one thread. */
final class Svg {
  private final StringBuilder out = new StringBuilder(1 << 12);

  /**
   * Creates a chart of this size.
   *
   * @param title text for screen readers
   */
  Svg(double width, double height, String title, String style) {
    out.append(
        format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"%s\" viewBox=\"0 0 %.0f %.0f\""
                + " role=\"img\" aria-label=\"%s\">",
            style, width, height, Markup.escape(title)));
  }

  /** Draws the title, and the unit in a faint colour. */
  void title(String title, String unit) {
    out.append("<text class=\"title\" x=\"8\" y=\"16\">").append(Markup.escape(title));
    out.append(
        unit.isEmpty() ? "" : "<tspan class=\"unit\" dx=\"8\">" + Markup.escape(unit) + "</tspan>");
    out.append("</text>");
  }

  /** Estimates the width of a 12 px text, rather too wide: fonts are not measured. */
  static double widthOf(String text) {
    return 7.0 * text.codePointCount(0, text.length());
  }

  void rect(String style, double x, double y, double width, double height, String hint) {
    out.append(
        format(
            "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"",
            style, x, y, Math.max(0, width), Math.max(0, height)));
    out.append(hint.isEmpty() ? "/>" : "><title>" + Markup.escape(hint) + "</title></rect>");
  }

  /** Draws a cell of a heat map. */
  void cell(double x, double y, double width, double height, double share) {
    out.append(
        format(
            "<rect class=\"heat\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\""
                + " fill-opacity=\"%.2f\"/>",
            x, y, width, height, share));
  }

  void line(String style, double x1, double y1, double x2, double y2) {
    out.append(
        format(
            "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>",
            style, x1, y1, x2, y2));
  }

  void dot(String style, double x, double y, String hint) {
    out.append(format("<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"2.2\">", style, x, y));
    out.append("<title>").append(Markup.escape(hint)).append("</title></circle>");
  }

  void polyline(String style, String points, String hint) {
    out.append("<polyline class=\"").append(style).append("\" points=\"");
    out.append(points.strip()).append("\"><title>").append(Markup.escape(hint));
    out.append("</title></polyline>");
  }

  void text(double x, double y, String style, String text) {
    out.append(format("<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">", style, x, y));
    out.append(Markup.escape(text)).append("</text>");
  }

  /** Adds another chart inside this one. */
  void nested(double x, double y, double width, double height, String svg) {
    out.append(
        svg.replaceFirst(
            "<svg ",
            format(
                "<svg x=\"%.0f\" y=\"%.0f\" width=\"%.0f\" height=\"%.0f\" ",
                x, y, width, height)));
  }

  String end() {
    return out + "</svg>";
  }

  @SuppressWarnings({"AnnotateFormatMethod", "FormatStringAnnotation"})
  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
