package dev.millrace.network.processor;

import dev.millrace.api.memory.MemoryScope;
import dev.millrace.api.time.Clock;
import dev.millrace.network.spi.DurableStorage;
import java.util.concurrent.ThreadFactory;

/**
 * What a server provides to a processor.
 *
 * @param qualifiedName {@code application/stage}
 * @param workers       threads that may share a rule
 * @param memory        of the application
 * @param threads       creates workers
 * @param storage       {@code null} unless the processor is durable
 */
public record ProcessorEnvironment(String qualifiedName, int workers, MemoryScope memory, Clock clock,
    ThreadFactory threads, DurableStorage storage)
{
}
