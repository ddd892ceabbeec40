package dev.millrace.tuning.signal;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.string.StringTable;
import dev.millrace.cql.runtime.PipelineBindings;
import dev.millrace.tuning.engine.BenchQueries;
import dev.millrace.tuning.harness.ResultChecksum;
import dev.millrace.tuning.harness.SymbolCodes;
import dev.millrace.tuning.harness.TickData;
import java.util.List;

/** The grouped sum of given strings, by the engine and hand-written, each with separate tables and checksums. */
final class StringSums
{
    final ResultChecksum engineTally;
    final ResultChecksum limitTally = new ResultChecksum();

    private final String[] groups;
    private final long[] values;
    private final StringTable strings = PipelineBindings.newStrings(MemoryAccount.NONE);
    private final EventBatch batch;
    private final BenchQueries.Ready ready;
    private final StringSumBaseline limit;
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
        final BatchSchema source = new BatchSchema(BenchQueries.SAMPLE);
        batch = new EventBatch(source);
        engineTally = new ResultChecksum(new SymbolCodes(strings));
        ready = BenchQueries.start(List.of(BenchQueries.SUM), source, null, strings, engineTally);
        limit = new StringSumBaseline(names, ready.output(), limitTally);
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
