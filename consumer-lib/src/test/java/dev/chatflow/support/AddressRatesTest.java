package dev.chatflow.support;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AddressRatesTest {

  /** A machine can use any address of its network. */
  @Test
  void addressesOfOneNetworkOfIpv6ShareARate() {
    AddressRates rates = new AddressRates(1);
    assertThat(rates.take("2001:db8:0:1::1", 0)).isZero();
    assertThat(rates.take("2001:db8:0:1:ffff::2", 0)).isPositive();
    assertThat(rates.take("2001:db8:0:2::1", 0)).isZero();
  }

  @Test
  void addressOfIpv4IsTheSameHoweverItIsWritten() {
    AddressRates rates = new AddressRates(1);
    assertThat(rates.take("192.0.2.1", 0)).isZero();
    assertThat(rates.take("192.0.2.2", 0)).isZero();
    assertThat(rates.take("::ffff:192.0.2.1", 0)).isPositive();
  }

  @Test
  void sixteenFilesCountAsOneRequest() {
    AddressRates rates = new AddressRates(1);
    for (int i = 0; i < 16; i++) {
      assertThat(rates.takeFile("192.0.2.1", 0)).isZero();
    }
    assertThat(rates.takeFile("192.0.2.1", 0)).isPositive();
    assertThat(rates.take("192.0.2.1", 0)).isPositive();
  }

  @Test
  void requestThatWasGivenBackIsNotCounted() {
    AddressRates rates = new AddressRates(1);
    for (int i = 0; i < 3; i++) {
      assertThat(rates.take("192.0.2.1", 0)).isZero();
      rates.giveBack("192.0.2.1");
    }
  }

  @Test
  void rememberedAddressesAreBoundedAndTheForgottenCounted() {
    AddressRates rates = new AddressRates(1);
    assertThat(rates.take("first", 0)).isZero();
    assertThat(rates.take("first", 0)).isPositive();
    for (int i = 0; i < AddressRates.MAX; i++) {
      assertThat(rates.take("other " + i, 0)).isZero();
    }
    assertThat(rates.size()).isEqualTo(AddressRates.MAX);
    assertThat(rates.forgotten()).isEqualTo(1);
    assertThat(rates.take("first", 0)).as("forgotten for lack of space").isZero();
  }

  @Test
  void withoutLimitNothingIsRemembered() {
    AddressRates rates = new AddressRates(0);
    for (int i = 0; i < 10; i++) {
      assertThat(rates.take("192.0.2.1", 0)).isZero();
    }
    assertThat(rates.size()).isZero();
  }
}
