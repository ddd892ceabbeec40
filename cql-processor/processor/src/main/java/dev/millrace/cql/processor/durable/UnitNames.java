package dev.millrace.cql.processor.durable;

import dev.millrace.cql.processor.worker.Worker;
import dev.millrace.network.spi.ProcessorWiring;

/** The names of the units of a processor, which are the same after a restart. Immutable. */
final class UnitNames
{
    private final ProcessorWiring wiring;

    UnitNames(final ProcessorWiring wiring)
    {
        this.wiring = wiring;
    }

    /**
     * Name of the unit of a worker or, for a {@code null} worker, of the source thread of a channel. It includes the
     * number of workers, which determines the partitions of each.
     */
    String of(final Worker worker, final String channel)
    {
        if (worker != null)
        {
            return worker.name().substring(worker.name().lastIndexOf('/') + 1) + "-of-" + wiring.workers();
        }
        final Object thread = wiring.sourceThread(channel);
        return "thread-of-" + (thread == null ? channel : firstOf(thread, channel));
    }

    /** The first channel of a thread gives its unit the name. */
    private String firstOf(final Object thread, final String channel)
    {
        return wiring.channels().stream().filter(other -> thread.equals(wiring.sourceThread(other))).sorted()
            .findFirst().orElse(channel);
    }
}
