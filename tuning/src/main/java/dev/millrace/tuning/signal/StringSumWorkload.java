package dev.millrace.tuning.signal;

import dev.millrace.tuning.harness.BenchContext;
import dev.millrace.tuning.harness.ComparedLoop;
import dev.millrace.tuning.harness.ResultChecksum;
import dev.millrace.tuning.harness.TickData;
import dev.millrace.tuning.harness.Workload;
import java.util.List;

/**
 * The grouped sum of events whose group is a {@link String}, including the look-up. As with the peers, events of one
 * group share an object that their source created once; up to a thousand groups it is also measured with a separate
 * object for each event, whose characters must be compared.
 */
public final class StringSumWorkload implements Workload
{
    private static final int MOST_GROUPS_OF_DISTINCT = 1_000;

    private final StringSums same;
    private final List<ComparedLoop> others;

    public StringSumWorkload(final int count, final BenchContext setting)
    {
        final SumData data = SumData.of(count, setting.seed());
        same = new StringSums(data, count, false);
        others = count > MOST_GROUPS_OF_DISTINCT ? List.of() : loops(new StringSums(data, count, true));
    }

    private static List<ComparedLoop> loops(final StringSums distinct)
    {
        return List.of(new ComparedLoop("distinct", distinct::runEngine, distinct.engineTally, null),
            new ComparedLoop("distinctLimit", distinct::runLimit, distinct.limitTally, "distinct"));
    }

    @Override
    public int events()
    {
        return TickData.EVENTS;
    }

    @Override
    public void runEngine()
    {
        same.runEngine();
    }

    @Override
    public void runLimit()
    {
        same.runLimit();
    }

    @Override
    public List<ComparedLoop> others()
    {
        return others;
    }

    @Override
    public ResultChecksum engineTally()
    {
        return same.engineTally;
    }

    @Override
    public ResultChecksum limitTally()
    {
        return same.limitTally;
    }

    @Override
    public String javaText()
    {
        return same.javaText();
    }
}
