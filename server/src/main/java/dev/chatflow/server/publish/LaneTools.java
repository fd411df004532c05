package dev.chatflow.server.publish;

import dev.chatflow.server.publish.channel.ChannelPool;
import dev.chatflow.server.publish.channel.Circuit;
import dev.chatflow.server.publish.channel.Uplink;

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
