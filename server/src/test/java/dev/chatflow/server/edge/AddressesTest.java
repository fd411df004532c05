package dev.chatflow.server.edge;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AddressesTest {

  /** A machine can use any address of its network. */
  @Test
  void addressesOfOneNetworkOfIpv6ShareTheirConnections() {
    Addresses addresses = new Addresses(1);
    assertThat(addresses.enter("2001:db8:0:1::1")).isTrue();
    assertThat(addresses.isFull("2001:db8:0:1:ffff::2")).isTrue();
    assertThat(addresses.enter("2001:db8:0:1:ffff::2")).isFalse();
    assertThat(addresses.enter("2001:db8:0:2::1")).isTrue();
  }

  @Test
  void addressOfIpv4IsTheSameHoweverItIsWritten() {
    Addresses addresses = new Addresses(1);
    assertThat(addresses.enter("192.0.2.1")).isTrue();
    assertThat(addresses.isFull("::ffff:192.0.2.1")).isTrue();
  }

  @Test
  void slotOfAClosedConnectionIsFreeAndNothingIsKept() {
    Addresses addresses = new Addresses(2);
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
  void withoutLimitNothingIsRemembered() {
    Addresses addresses = new Addresses(0);
    for (int i = 0; i < 10; i++) {
      assertThat(addresses.enter("192.0.2.1")).isTrue();
    }
    assertThat(addresses.isFull("192.0.2.1")).isFalse();
    assertThat(addresses.size()).isZero();
  }
}
