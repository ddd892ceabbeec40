package dev.millrace.command.scaling;

import dev.millrace.command.demo.ExpectedSignals;
import dev.millrace.command.demo.TickFile;
import dev.millrace.command.demo.TickFile.Tick;
import java.util.ArrayList;
import java.util.List;

/** What each instance must have put out, computed without the engine from what its generator says it has sent. */
final class ExpectedOutput
{
    private final TickFile file;
    private final List<ExpectedSignals> ofInstances = new ArrayList<>();
    private final long[] sent;

    /**
     * Begins with applications that have seen nothing.
     *
     * @param file      what is sent and what is watched
     * @param instances how many
     */
    ExpectedOutput(final TickFile file, final int instances)
    {
        this.file = file;
        this.sent = new long[instances];
        for (int i = 0; i < instances; i++)
        {
            ofInstances.add(new ExpectedSignals(file.watched()));
        }
    }

    /** Takes notice of what a generator has sent after what is known. */
    void play(final int instance, final List<Long> rowsSent)
    {
        final List<List<Tick>> parts = ExpectedSignals.split(file.ticks(), rowsSent.size());
        ofInstances.get(instance).play(parts, rowsSent);
        sent[instance] += rowsSent.stream().mapToLong(Long::longValue).sum();
    }

    /** An instance begins anew, and has forgotten everything. */
    void restart(final int instance)
    {
        ofInstances.set(instance, new ExpectedSignals(file.watched()));
        sent[instance] = 0;
    }

    /** All rows that an instance was sent. */
    long sent(final int instance)
    {
        return sent[instance];
    }

    ExpectedSignals.Counts counts(final int instance)
    {
        return ofInstances.get(instance).counts();
    }
}
