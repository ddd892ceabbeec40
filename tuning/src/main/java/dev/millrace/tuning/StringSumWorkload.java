package dev.millrace.tuning;

import java.util.List;

/**
 * The grouped sum of events whose group is a {@link String}, including the look-up. As with the peers, events of one
 * group share an object that their source created once; up to a thousand groups it is also measured with a separate
 * object for each event, whose characters must be compared.
 */
final class StringSumWorkload implements Workload
{
    private static final int MOST_GROUPS_OF_DISTINCT = 1_000;

    private final StringSums same;
    private final List<Loop> others;

    StringSumWorkload(final int count, final Setting setting)
    {
        final SumData data = SumData.of(count, setting.seed());
        same = new StringSums(data, count, false);
        others = count > MOST_GROUPS_OF_DISTINCT ? List.of() : loops(new StringSums(data, count, true));
    }

    private static List<Loop> loops(final StringSums distinct)
    {
        return List.of(new Loop("distinct", distinct::runEngine, distinct.engineTally, null),
            new Loop("distinctLimit", distinct::runLimit, distinct.limitTally, "distinct"));
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
    public List<Loop> others()
    {
        return others;
    }

    @Override
    public Tally engineTally()
    {
        return same.engineTally;
    }

    @Override
    public Tally limitTally()
    {
        return same.limitTally;
    }

    @Override
    public String javaText()
    {
        return same.javaText();
    }
}
