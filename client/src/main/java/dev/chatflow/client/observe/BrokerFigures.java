package dev.chatflow.client.observe;

import dev.chatflow.client.record.Samples;
import java.util.List;

/**
 * What was seen of the broker.
 *
 * @param name product and version
 * @param depth ready messages of the chosen queues but streams, by AMQP
 * @param rates by the management API, which lags by seconds
 * @param viaApi queues that AMQP may not ask; their depth is the API's
 * @param left messages in the queues after the run; negative when not known
 */
public record BrokerFigures(
    String name,
    Samples depth,
    Samples rates,
    List<String> viaApi,
    List<String> alarms,
    long left) {}
