package dev.chatflow.client.observe;

import java.util.regex.Pattern;

/**
 * Which broker is watched.
 *
 * @param queues names of the queues whose depth counts, unless they are streams
 */
public record BrokerTarget(BrokerAddress address, Pattern queues) {}
