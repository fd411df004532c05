package dev.chatflow.client.observe;

import dev.chatflow.client.record.Samples;
import java.util.List;

/**
 * The observations of the broker.
 *
 * @param name product and version
 * @param depth ready messages of the selected queues without streams, over AMQP
 * @param rates rates of the management API, which is seconds late
 * @param viaApi queues that cannot be observed over AMQP; their depth is from the API
 * @param left messages in the queues after the run; negative if unknown
 */
public record BrokerFigures(
    String name,
    Samples depth,
    Samples rates,
    List<String> viaApi,
    List<String> alarms,
    long left) {}
