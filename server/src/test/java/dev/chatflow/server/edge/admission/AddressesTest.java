package dev.chatflow.server.edge.admission;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AddressesTest {

  /** A machine has as many addresses of its network as it likes. */
  @Test
  void addressesOfOneNetworkOfIpv6ShareARateAndTheirPlaces() {
    Addresses addresses = new Addresses(1, 1);
    assertThat(addresses.ask("2001:db8:0:1::1", 0)).isZero();
    assertThat(addresses.ask("2001:db8:0:1:ffff::2", 0)).isPositive();
    assertThat(addresses.ask("2001:db8:0:2::1", 0)).isZero();
    assertThat(addresses.enter("2001:db8:0:1::1")).isTrue();
    assertThat(addresses.isFull("2001:db8:0:1:ffff::2")).isTrue();
    assertThat(addresses.enter("2001:db8:0:1:ffff::2")).isFalse();
    assertThat(addresses.enter("2001:db8:0:2::1")).isTrue();
  }

  @Test
  void addressOfIpv4IsTheSameHoweverItIsWritten() {
    Addresses addresses = new Addresses(1, 1);
    assertThat(addresses.ask("192.0.2.1", 0)).isZero();
    assertThat(addresses.ask("192.0.2.2", 0)).isZero();
    assertThat(addresses.ask("::ffff:192.0.2.1", 0)).isPositive();
    assertThat(addresses.enter("192.0.2.1")).isTrue();
    assertThat(addresses.isFull("::ffff:192.0.2.1")).isTrue();
  }

  @Test
  void placeOfWhoGoesIsFreeAndNothingIsKeptOfHim() {
    Addresses addresses = new Addresses(2, 0);
    assertThat(addresses.enter("192.0.2.1")).isTrue();
    assertThat(addresses.enter("192.0.2.1")).isTrue();
    assertThat(addresses.enter("192.0.2.1")).isFalse();
    addresses.leave("192.0.2.1");
    assertThat(addresses.isFull("192.0.2.1")).isFalse();
    assertThat(addresses.enter("192.0.2.1")).isTrue();
    addresses.leave("192.0.2.1");
    addresses.leave("192.0.2.1");
    assertThat(addresses.size()).isZero();
  }

  @Test
  void ratesRememberedAreBoundedAndTheForgottenCounted() {
    Addresses addresses = new Addresses(0, 1);
    assertThat(addresses.ask("first", 0)).isZero();
    assertThat(addresses.ask("first", 0)).isPositive();
    for (int i = 0; i < Addresses.MAX_RATES; i++) {
      assertThat(addresses.ask("other " + i, 0)).isZero();
    }
    assertThat(addresses.size()).isEqualTo(Addresses.MAX_RATES);
    assertThat(addresses.forgotten()).isEqualTo(1);
    assertThat(addresses.ask("first", 0)).as("forgotten for lack of space").isZero();
  }

  @Test
  void withoutLimitsNothingIsRemembered() {
    Addresses addresses = new Addresses(0, 0);
    for (int i = 0; i < 10; i++) {
      assertThat(addresses.ask("192.0.2.1", 0)).isZero();
      assertThat(addresses.enter("192.0.2.1")).isTrue();
    }
    assertThat(addresses.isFull("192.0.2.1")).isFalse();
    assertThat(addresses.size()).isZero();
  }
}
