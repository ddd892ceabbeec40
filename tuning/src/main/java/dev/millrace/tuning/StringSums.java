package dev.millrace.tuning;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.text.Codes;
import dev.millrace.cql.runtime.PipelineBindings;
import java.util.List;

/** The grouped sum of given strings, by the engine and hand-written, each with separate tables and checksums. */
final class StringSums
{
    final Tally engineTally;
    final Tally limitTally = new Tally();

    private final String[] groups;
    private final long[] values;
    private final Codes strings = PipelineBindings.newStrings(MemoryAccount.NONE);
    private final EventBatch batch;
    private final Rules.Ready ready;
    private final StringSumLimit limit;
    private long engineTimeNs;
    private long limitTimeNs;

    /**
     * @param data       group and value of each event
     * @param isDistinct whether each event has a separate string object, instead of one per group
     */
    StringSums(final SumData data, final int count, final boolean isDistinct)
    {
        final String[] names = SumData.names(count, strings);
        groups = new String[TickData.EVENTS];
        for (int i = 0; i < groups.length; i++)
        {
            final String name = names[data.groups()[i]];
            groups[i] = isDistinct ? new String(name.toCharArray()) : name;
        }
        values = data.values();
        final BatchSchema source = new BatchSchema(Rules.SAMPLE);
        batch = new EventBatch(source);
        engineTally = new Tally(new SymbolCodes(strings));
        ready = Rules.start(List.of(Rules.SUM), source, null, strings, engineTally);
        limit = new StringSumLimit(names, ready.output(), limitTally);
    }

    void runEngine()
    {
        for (int from = 0; from < groups.length; from += EventBatch.CAPACITY)
        {
            final int n = Math.min(EventBatch.CAPACITY, groups.length - from);
            batch.clear();
            batch.texts(0).set(groups, from, n);
            System.arraycopy(values, from, batch.longs(1), 0, n);
            batch.baseTimestampNs(engineTimeNs);
            batch.size(n);
            ready.pipeline().onBatch(batch);
            engineTimeNs += n;
        }
    }

    void runLimit()
    {
        for (int from = 0; from < groups.length; from += EventBatch.CAPACITY)
        {
            final int n = Math.min(EventBatch.CAPACITY, groups.length - from);
            limit.take(groups, values, from, n, limitTimeNs);
            limitTimeNs += n;
        }
    }

    String javaText()
    {
        return ready.javaText();
    }
}
