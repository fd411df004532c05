package dev.chatflow.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigValuesTest {

  /** A key of each kind. */
  enum TestKey implements ConfigKey {
    COUNT("3", new AllowedValues.Whole(1, 5)),
    LIMIT("off", new AllowedValues.WholeOr("off", new AllowedValues.Whole(1, 9))),
    SPACE("4KiB", new AllowedValues.Size(1 << 10, 1 << 30)),
    PATIENCE("5ms", new AllowedValues.Time(Duration.ZERO, Duration.ofHours(2))),
    OPEN("false", AllowedValues.OneOf.FLAG),
    MODE("auto", new AllowedValues.OneOf(List.of("auto", "manual"))),
    PLACE("127.0.0.1", new AllowedValues.Text("an address")),
    NAME("nobody", new AllowedValues.Text("a name"));

    private final Spec spec;

    TestKey(String defaultText, AllowedValues allowed) {
      this.spec = new Spec("TEST_" + name(), defaultText, allowed, "the meaning of " + name());
    }

    @Override
    public Spec spec() {
      return spec;
    }
  }

  private static ConfigValues<TestKey> values(Map<String, String> environment) {
    return new ConfigValues<>(
        TestKey.class,
        new ConfigSource(Map.of(), Map.of(), environment, Map.of()),
        name -> name.startsWith("TEST_"));
  }

  private static void readAll(ConfigValues<TestKey> values) throws ConfigException {
    values.whole(TestKey.COUNT);
    values.wholeOr(TestKey.LIMIT, 0);
    values.bytes(TestKey.SPACE);
    values.time(TestKey.PATIENCE);
    values.flag(TestKey.OPEN);
    values.oneOf(TestKey.MODE);
    values.address(TestKey.PLACE);
    values.throwIfWrong();
  }

  @Test
  void defaultsAreReadAsGivenTextsAre() throws ConfigException {
    ConfigValues<TestKey> values = values(Map.of());
    assertThat(values.whole(TestKey.COUNT)).isEqualTo(3);
    assertThat(values.wholeOr(TestKey.LIMIT, 0)).isZero();
    assertThat(values.bytes(TestKey.SPACE)).isEqualTo(4_096);
    assertThat(values.time(TestKey.PATIENCE)).isEqualTo(Duration.ofMillis(5));
    assertThat(values.flag(TestKey.OPEN)).isFalse();
    assertThat(values.oneOf(TestKey.MODE)).isEqualTo("auto");
    assertThat(values.address(TestKey.PLACE).isLoopbackAddress()).isTrue();
    assertThat(values.text(TestKey.NAME)).isEqualTo("nobody");
    assertThat(values.given(TestKey.NAME)).isNull();
    values.throwIfWrong();
  }

  @Test
  void optionWinsOverPropertyThatOverEnvironmentAndThatOverTheFile() {
    ConfigSource source =
        new ConfigSource(
            Map.of("TEST_COUNT", "1"),
            Map.of("test.count", "2", "test.name", " property "),
            Map.of("TEST_COUNT", "3", "TEST_NAME", "environment", "TEST_SPACE", "8 kib"),
            Map.of("TEST_COUNT", "4", "TEST_SPACE", "16KiB", "TEST_PATIENCE", "7ms"));
    ConfigValues<TestKey> values = new ConfigValues<>(TestKey.class, source, _ -> false);
    assertThat(values.whole(TestKey.COUNT)).isEqualTo(1);
    assertThat(values.text(TestKey.NAME)).isEqualTo("property");
    assertThat(values.bytes(TestKey.SPACE)).isEqualTo(8_192);
    assertThat(values.time(TestKey.PATIENCE)).isEqualTo(Duration.ofMillis(7));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "COUNT | 6 | a whole number from 1 to 5",
        "COUNT | two | a whole number from 1 to 5",
        "LIMIT | 0 | off or a whole number from 1 to 9",
        "SPACE | 512 | a size from 1KiB to 1GiB, such as 256KiB or 4MiB",
        "SPACE | 4KB | a size from 1KiB to 1GiB, such as 256KiB or 4MiB",
        "SPACE | 17179869185GiB | a size from 1KiB to 1GiB, such as 256KiB or 4MiB",
        "SPACE | 999999999999GiB | a size from 1KiB to 1GiB, such as 256KiB or 4MiB",
        "PATIENCE | 5 | a time from 0s to 2h, such as 5ms, 30s or 2m",
        "PATIENCE | 3h | a time from 0s to 2h, such as 5ms, 30s or 2m",
        "OPEN | yes | true or false",
        "MODE | fast | auto or manual",
        "PLACE | 1:2:3 | an address"
      })
  void wrongValueIsReportedWithTheAllowedValues(TestKey key, String value, String allowed) {
    ConfigValues<TestKey> values = values(Map.of(key.environmentName(), value));
    assertThatThrownBy(() -> readAll(values))
        .hasMessage("configuration: TEST_" + key + "=" + value + " is not " + allowed);
  }

  @Test
  void misspeltKeyIsAnsweredWithASuggestion() {
    ConfigValues<TestKey> values =
        values(Map.of("TEST_PATIENSE", "1s", "TEST_WHATEVER_ELSE", "1", "OTHER", "1"));
    assertThatThrownBy(values::throwIfWrong)
        .hasMessage(
            "configuration: unknown key TEST_PATIENSE (meant TEST_PATIENCE?);"
                + " unknown key TEST_WHATEVER_ELSE (every key: --print-effective)");
  }

  @Test
  void aNameThatIsNearlyAKeyIsWrongThoughItNeedNotBeOne() {
    Map<String, String> environment = Map.of("TSET_COUNT", "1", "TEST_OPENED", "1", "LEFT", "1");
    ConfigValues<TestKey> values =
        new ConfigValues<>(
            TestKey.class, new ConfigSource(Map.of(), Map.of(), environment, Map.of()), _ -> false);
    assertThatThrownBy(values::throwIfWrong)
        .hasMessage(
            "configuration: unknown key TEST_OPENED (meant TEST_OPEN?);"
                + " unknown key TSET_COUNT (meant TEST_COUNT?)");
  }

  @Test
  void inAFileEveryNameMustBeAKnownKey() {
    Map<String, String> file = Map.of("CHATFLOW_OF_ANOTHER_PROGRAM", "1", "PORT", "1");
    ConfigValues<TestKey> values =
        new ConfigValues<>(
            TestKey.class, new ConfigSource(Map.of(), Map.of(), Map.of(), file), _ -> false);
    assertThatThrownBy(values::throwIfWrong)
        .hasMessage("configuration: unknown key PORT (every key: --print-effective)");
  }

  @Test
  void theTemplateHasEveryKeyWithDefaultRangeAndMeaningAndSetsNone() {
    assertThat(ConfigKey.template(List.of(TestKey.COUNT, TestKey.PATIENCE)))
        .isEqualTo(
            """
            # the meaning of COUNT
            # 1 to 5; default 3
            #TEST_COUNT=3

            # the meaning of PATIENCE
            # 0s to 2h; default 5ms
            #TEST_PATIENCE=5ms
            """);
  }

  @Test
  void effectiveValuesAreComputedAndMasked() {
    ConfigValues<TestKey> values = values(Map.of("TEST_NAME", "secret"));
    values.inForce(TestKey.NAME, "***");
    assertThat(values.whole(TestKey.COUNT, "5")).isEqualTo(5);
    EffectiveValues<TestKey> effective = values.effective();
    assertThat(effective.describe())
        .startsWith("TEST_COUNT=5\n")
        .endsWith("TEST_NAME=***\n")
        .doesNotContain("secret");
    assertThat(effective.describeChanged())
        .isEqualTo("TEST_NAME=***, all others have their defaults");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0 bytes",
    "1000, 1000 bytes",
    "1024, 1KiB",
    "3145728, 3MiB",
    "68719476736, 64GiB"
  })
  void sizesAreShownInTheGreatestUnitThatDividesThem(long bytes, String shown) {
    assertThat(AllowedValues.Size.shown(bytes)).isEqualTo(shown);
  }
}
