package dev.chatflow.client.engine;

import dev.chatflow.client.record.CpuUse;
import dev.chatflow.client.record.MachineCpu;
import dev.chatflow.client.transport.Tokens;
import dev.chatflow.client.transport.Transport;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What an engine needs of the machine; tests give their own.
 *
 * @param transports makes the transport of a load thread from a seed
 * @param cpu CPU times of the thread that asks and of this process
 * @param machine CPU time of this machine
 * @param nanoTime a clock that only goes forward
 * @param tokens makes a token for each user; null: users show none of their own
 */
public record Platform(
    LongFunction<? extends Transport> transports,
    Supplier<CpuUse> cpu,
    Supplier<MachineCpu> machine,
    LongSupplier nanoTime,
    @Nullable Tokens tokens) {}
