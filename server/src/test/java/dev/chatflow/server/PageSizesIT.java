package dev.chatflow.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.chatflow.broker.embedded.EmbeddedBroker;
import dev.chatflow.server.Browser.Tab;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.catalina.LifecycleException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the page on screens from a phone in landscape with an open keyboard to a wide one. */
@EnabledIf(
    value = "dev.chatflow.server.Browser#isInstalled",
    disabledReason = "no Chromium in the path; CHATFLOW_TEST_CHROMIUM may name one")
class PageSizesIT {

  private static final String ONLINE = "document.body.dataset.state === 'here'";

  @SuppressWarnings("NullAway.Init")
  private static EmbeddedBroker broker;

  @SuppressWarnings("NullAway.Init")
  private static TestServer server;

  @SuppressWarnings("NullAway.Init")
  private static Browser browser;

  @SuppressWarnings("NullAway.Init")
  private static Tab tab;

  @BeforeAll
  static void talk() throws Exception {
    broker = EmbeddedBroker.start();
    server = TestServer.start(broker.uri(), "one");
    browser = Browser.start();
    tab = browser.open(URI.create("http://127.0.0.1:" + server.port() + "/rooms/lobby"));
    tab.await("document.activeElement.id === 'username'");
    tab.type("alice");
    tab.press("Enter");
    tab.await(ONLINE);
    IntStream.range(0, 40)
        .forEach(i -> {
          tab.type("text " + i + (i % 7 == 0 ? " and a long word: " + "x".repeat(200) : ""));
          tab.press("Enter");
        });
    tab.await("document.querySelectorAll('.messages .text').length === 40");
  }

  @AfterAll
  static void end() throws IOException, LifecycleException {
    browser.close();
    server.close();
    broker.close();
  }

  /** Screen sizes with the minimum share of the height for messages. */
  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "phone, 390, 844, true, 85",
    "phone with its keyboard open, 390, 420, true, 70",
    "phone lying down, 844, 390, true, 70",
    "phone lying down with its keyboard open, 844, 180, true, 40",
    "tablet, 820, 1180, true, 88",
    "desktop, 1280, 800, false, 80",
    "wide, 1920, 1080, false, 80"
  })
  void conversationFillsTheScreenAndTheNewestMessageIsVisible(
      String name, int width, int height, boolean isPhone, int share) {
    tab.size(width, height, isPhone);
    tab.await("innerWidth === " + width + " && innerHeight === " + height);
    tab.await(inSight(".messages > li:last-child"));
    JsonObject page = tab.evaluate(MEASURE).getAsJsonObject();
    assertThat(page.get("scroll").getAsInt() * 100 / height).isGreaterThanOrEqualTo(share);
    assertThat(page.get("overflow").getAsInt()).as("to the side, or of the page").isZero();
    assertThat(page.get("hidden").getAsInt()).as("controls out of the window").isZero();
    assertThat(page.get("sides").getAsBoolean()).as("rooms and people").isEqualTo(width >= 960);
  }

  private static final String MEASURE =
      """
      ({
        scroll: document.querySelector('.scroll').clientHeight,
        overflow: [document.documentElement, document.querySelector('.scroll')]
          .reduce((sum, e) => sum + Math.max(0, e.scrollWidth - e.clientWidth),
            document.documentElement.scrollHeight - document.documentElement.clientHeight),
        hidden: [...document.querySelectorAll('header button, #write *')]
          .filter((e) => e.offsetParent !== null && e.checkVisibility())
          .map((e) => e.getBoundingClientRect())
          .filter((r) => r.left < 0 || r.top < 0 || r.right > innerWidth || r.bottom > innerHeight).length,
        sides: ['rooms', 'people'].every((id) => document.getElementById(id).checkVisibility()),
      })\
      """;

  private static String inSight(String selector) {
    return ("{ const r = document.querySelector('%s').getBoundingClientRect();"
            + " const box = document.querySelector('.scroll').getBoundingClientRect();"
            + " r.bottom <= box.bottom && r.bottom > box.top }")
        .formatted(selector);
  }

  /** A resize once counted as scrolling up, and hid the newest message. */
  @Test
  void scrollEventBeforeAResizeKeepsTheReadingPosition() {
    tab.size(390, 844, true);
    tab.await(inSight(".messages > li:last-child"));
    tab.evaluate(
        """
        const scroll = document.querySelector('.scroll');
        scroll.style.maxHeight = '200px';
        scroll.dispatchEvent(new Event('scroll'));
        scroll.clientHeight\
        """);
    tab.await(inSight(".messages > li:last-child"));
    tab.evaluate("document.querySelector('.scroll').style.maxHeight = ''");
  }

  @Test
  void linesOfOnePersonShareOneName() {
    assertThat(tab.texts(".messages .more")).hasSize(39);
  }

  @Test
  void drawersOfAPhoneOpenAndCloseByKeyboardAndTheNewestMessageStaysVisible() {
    tab.size(390, 844, true);
    for (String drawer : List.of("people", "rooms")) {
      openByKeyboard(drawer);
      tab.press("Escape");
      awaitClosed(drawer);
    }
    assertThat(tab.texts("#members li")).singleElement().asString().startsWith("alice (you) #");
    tab.await(inSight(".messages > li:last-child"));
  }

  @Test
  void drawerOfAPhoneHasAVisibleNamedCloseButton() {
    tab.size(390, 844, true);
    for (String drawer : List.of("people", "rooms")) {
      openByKeyboard(drawer);
      assertThat(tab.evaluate("document.activeElement.textContent").getAsString())
          .as("focus is in the drawer")
          .isEqualTo("Close");
      assertThat(tab.evaluate("document.activeElement.ariaLabel").getAsString())
          .isEqualTo("Close " + drawer);
      tab.await(
          "{ const box = document.activeElement.getBoundingClientRect();"
              + " document.activeElement.checkVisibility() && box.left >= 0 && box.right <= 390 }");
      assertThat(tab.evaluate(OUTSIDE_LANDMARKS).getAsJsonArray()).isEmpty();
      tab.press("Enter");
      awaitClosed(drawer);
    }
  }

  private static void openByKeyboard(String drawer) {
    tab.evaluate("document.querySelector('header > [popovertarget=%s]').focus()".formatted(drawer));
    tab.press("Enter");
    tab.await("document.getElementById('%s').matches(':popover-open')".formatted(drawer));
  }

  /** The focus returns to the button in the header. */
  private static void awaitClosed(String drawer) {
    tab.await("!document.getElementById('%s').matches(':popover-open')".formatted(drawer));
    tab.await("document.activeElement.matches('header > [popovertarget=%s]')".formatted(drawer));
  }

  @Test
  void permanentDrawersHaveNoCloseButton() {
    tab.size(1280, 800, false);
    tab.await("innerWidth === 1280");
    assertThat(
            tab.evaluate(
                    "[...document.querySelectorAll('.top button')].some((e) => e.checkVisibility())")
                .getAsBoolean())
        .isFalse();
  }

  /** "Connected" was cut to "Connect", which reads like a button. */
  @ParameterizedTest
  @CsvSource({"390, Connected", "390, Not connected", "320, Connected", "320, Not connected"})
  void stateIsFullyReadableNextToALongRoomNameAndLargeCounts(int width, String state) {
    tab.size(width, 844, true);
    tab.await("innerWidth === " + width);
    JsonObject shown = tab.evaluate(HEADER + "('" + state + "')").getAsJsonObject();
    assertThat(shown.get("state").getAsBoolean()).as("the state is shown in full").isTrue();
    assertThat(shown.get("room").getAsInt()).as("width of the room's name").isGreaterThan(50);
    assertThat(shown.get("page").getAsInt()).isLessThanOrEqualTo(width);
  }

  /** Measured in one step, because the page soon replaces the changed texts. */
  private static final String HEADER =
      """
      ((state) => {
        const set = {title: 'r'.repeat(64), state, elsewhere: '12'};
        const before = Object.entries(set).map(([id, text]) => {
          const element = document.getElementById(id);
          const old = element.textContent;
          element.textContent = text;
          return [element, old];
        });
        const count = document.querySelector('header .count');
        before.push([count, count.textContent]);
        count.textContent = '1234';
        const line = document.getElementById('state');
        const range = document.createRange();
        range.selectNodeContents(line);
        const text = range.getBoundingClientRect();
        const people = document.querySelector('header > [popovertarget=people]');
        const result = {
          state: line.scrollWidth <= line.clientWidth && text.bottom <= line.getBoundingClientRect().bottom + 1
            && text.right <= people.getBoundingClientRect().left,
          room: document.getElementById('title').clientWidth,
          page: document.documentElement.scrollWidth,
        };
        before.forEach(([element, old]) => (element.textContent = old));
        return result;
      })\
      """;

  /** A screen reader lists landmarks; a control outside all of them is easily missed. */
  @Test
  void everyControlIsInsideALandmark() {
    tab.size(1280, 800, false);
    assertThat(tab.evaluate(OUTSIDE_LANDMARKS).getAsJsonArray()).isEmpty();
    tab.size(390, 844, true);
    tab.evaluate("document.getElementById('menu').showPopover()");
    assertThat(tab.evaluate(OUTSIDE_LANDMARKS).getAsJsonArray()).isEmpty();
    tab.evaluate("document.getElementById('menu').hidePopover()");
    assertThat(tab.evaluate("document.getElementById('write').ariaLabel").getAsString())
        .isEqualTo("Write a message");
  }

  /** An ARIA label would hide the number from screen readers. */
  @Test
  void roomsButtonIsNamedByItsTextAndTheNumberOfUnreadMessages() {
    assertThat(tab.texts("header > [popovertarget=rooms]:not([aria-label])"))
        .singleElement()
        .asString()
        .contains("Rooms");
    assertThat(tab.texts("header > [popovertarget=rooms] > #elsewhere")).hasSize(1);
  }

  private static final String OUTSIDE_LANDMARKS =
      """
      [...document.querySelectorAll('button, input, textarea')]
        .filter((e) => e.checkVisibility())
        .filter((e) => !e.closest('header, main, nav, aside, form[aria-label], [role=alert]'))
        .map((e) => e.outerHTML)\
      """;

  /** Every text has the contrast with its background that WCAG requires. */
  @ParameterizedTest
  @CsvSource({"light", "dark"})
  void everyTextIsReadable(String scheme) {
    tab.size(1280, 800, false);
    tab.scheme(scheme);
    tab.await("matchMedia('(prefers-color-scheme: " + scheme + ")').matches");
    assertThat(tab.evaluate(FAINT).getAsJsonArray()).isEmpty();
  }

  static final String FAINT =
      """
      (() => {
        const rgb = (color) => color.match(/[0-9.]+/g).map(Number);
        const light = (color) => rgb(color).slice(0, 3).map((c) => c / 255)
          .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
          .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
        const behind = (e) => {
          const { backgroundColor } = getComputedStyle(e);
          return (rgb(backgroundColor)[3] ?? 1) === 0 ? behind(e.parentElement) : backgroundColor;
        };
        const faint = (e) => {
          const [a, b] = [light(getComputedStyle(e).color), light(behind(e))].sort((x, y) => y - x);
          return (a + 0.05) / (b + 0.05) < 4.5;
        };
        return [...document.querySelectorAll('body *')]
          .filter((e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim() !== ''))
          .filter((e) => e.checkVisibility() && faint(e))
          .map((e) => `${e.className} ${e.textContent}`);
      })()\
      """;
}
