package dev.chatflow.server.publish;

/**
 * What all lanes of a server share.
 *
 * @param uplink the publisher connection
 * @param pool its channels
 * @param circuit what the lanes' attempts say about the broker
 * @param timing when lanes do what
 * @param meter what they count
 */
record LaneTools(
    Uplink uplink, ChannelPool pool, Circuit circuit, LaneTiming timing, PublishMeter meter) {}
