package dev.millrace.command.scaling.fleet;

import dev.millrace.command.demo.ExpectedSignals;
import dev.millrace.command.demo.TickFile;
import dev.millrace.command.demo.TickFile.Tick;
import java.util.ArrayList;
import java.util.List;

/** Expected output of each instance, computed without the engine from its generator's summary. */
public final class ExpectedOutput
{
    private final TickFile file;
    private final List<ExpectedSignals> ofInstances = new ArrayList<>();
    private final long[] sent;

    /** @param file the input and the watched symbols */
    public ExpectedOutput(final TickFile file, final int instances)
    {
        this.file = file;
        this.sent = new long[instances];
        for (int i = 0; i < instances; i++)
        {
            ofInstances.add(new ExpectedSignals(file.watched()));
        }
    }

    /** Adds the rows that a generator has sent since the last call. */
    public void play(final int instance, final List<Long> rowsSent)
    {
        final List<List<Tick>> parts = ExpectedSignals.split(file.ticks(), rowsSent.size());
        ofInstances.get(instance).play(parts, rowsSent);
        sent[instance] += rowsSent.stream().mapToLong(Long::longValue).sum();
    }

    /** An instance starts again without state. */
    public void restart(final int instance)
    {
        ofInstances.set(instance, new ExpectedSignals(file.watched()));
        sent[instance] = 0;
    }

    /** Returns the number of rows sent to an instance. */
    public long sent(final int instance)
    {
        return sent[instance];
    }

    public ExpectedSignals.Counts counts(final int instance)
    {
        return ofInstances.get(instance).counts();
    }
}
