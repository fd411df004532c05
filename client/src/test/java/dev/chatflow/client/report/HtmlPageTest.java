package dev.chatflow.client.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class HtmlPageTest {
  private final HtmlPage page = new HtmlPage("A & <b>");

  @Test
  void externalTextsAreEscapedEverywhere() {
    String html =
        page.verdict(false, "<i>1</i>", List.of("<i>0</i>"))
            .section("s", "<i>2</i>")
            .paragraph("<i>3</i>")
            .plain("<i>4</i>")
            .table(List.of("<i>5</i>"), List.of(List.of("<i>6</i>")))
            .data("{\"label\": \"</script><i>7</i>\"}")
            .end();
    assertThat(html)
        .contains(
            "<title>A &amp; &lt;b&gt;</title>",
            "&lt;i&gt;1",
            "&lt;i&gt;0",
            "&lt;i&gt;6",
            "\\u003ci>7")
        .doesNotContain("<i>");
  }

  @Test
  void numbersAreRightAlignedBelowTheirHeader() {
    String html = page.table("name|count", List.of(List.of("a", "12"), List.of("b", "-3"))).end();
    assertThat(html)
        .contains("<th>name<th class=\"n\">count", "<td>a<td class=\"n\">12", "<td class=\"n\">-3");
  }

  @Test
  void tableWithoutRowsHasAHeader() {
    assertThat(page.table("name|count", List.of()).end()).contains("<th>name<th>count");
  }

  @Test
  void scrollableRegionsAreReachableByKeyboardAndHaveUniqueNames() {
    String html =
        page.section("s", "Servers")
            .table("a|b", List.of())
            .table("c|d", List.of())
            .plain("text")
            .end();
    String region = " tabindex=\"0\" role=\"region\" aria-label=\"Servers, ";
    assertThat(html)
        .contains("<div class=\"wide\"" + region + "table\">")
        .contains("<div class=\"wide\"" + region + "table 2\">")
        .contains("<pre" + region + "text\">");
  }

  @Test
  void everythingIsInsideTheMainLandmark() {
    assertThat(page.section("s", "S").end())
        .containsSubsequence("<body><main><h1>", "<h2", "</main><script>");
  }

  @Test
  void chartWithoutValuesIsOmitted() {
    String html =
        page.charts(
                List.of(
                    BarChart.of("full", "Full", "").bars("a", 1).draw(),
                    BarChart.of("empty", "Empty", "").bars("a", Double.NaN).draw()))
            .end();
    assertThat(html).contains("id=\"chart-full\"").doesNotContain("chart-empty");
  }

  @Test
  void pageIsSelfContained() {
    assertThat(page.end().replace("href=\"data:,\"", "").replace("http://www.w3.org/2000/svg", ""))
        .startsWith("<!doctype html>")
        .endsWith("</body></html>\n")
        .doesNotContain("http:", "https:", "url(", "src=", "href=");
  }
}
