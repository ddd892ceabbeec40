package dev.millrace.tuning.signal;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.api.string.StringTable;
import dev.millrace.cql.language.problem.RuleText;
import dev.millrace.cql.runtime.LookupRelation;
import dev.millrace.cql.runtime.PipelineBindings;
import dev.millrace.tuning.engine.BenchQueries;
import dev.millrace.tuning.harness.BenchContext;
import dev.millrace.tuning.harness.ComparedLoop;
import dev.millrace.tuning.harness.ResultChecksum;
import dev.millrace.tuning.harness.SymbolCodes;
import dev.millrace.tuning.harness.TickData;
import dev.millrace.tuning.harness.Workload;
import java.util.List;

/** Columns in, columns out: events are copied into one reused batch, as an adapter fills it. */
public final class ColumnWorkload implements Workload
{
    private final int batchSize;
    private final StringTable strings;
    private final int[] ids;
    private final Object numbers;
    private final EventBatch batch;
    private final BenchQueries.Ready ready;
    private final EventBatchSink limit;
    private final ResultChecksum engineTally;
    private final ResultChecksum limitTally;
    private final List<ComparedLoop> others;
    private long engineTimeNs;
    private long limitTimeNs;
    private long twoPassTimeNs;

    private ColumnWorkload(final int batchSize, final StringTable strings, final int[] ids, final Object numbers,
        final BatchSchema source, final BenchQueries.Ready ready, final EventBatchSink limit,
        final ResultChecksum engineTally,
        final ResultChecksum limitTally,
        final EventBatchSink twoPass, final ResultChecksum twoPassTally)
    {
        this.batchSize = batchSize;
        this.strings = strings;
        this.ids = ids;
        this.numbers = numbers;
        this.ready = ready;
        this.limit = limit;
        this.engineTally = engineTally;
        this.limitTally = limitTally;
        batch = new EventBatch(source);
        others = twoPass == null ? List.of() :
            List.of(new ComparedLoop("twoPass", () -> twoPassTimeNs = run(twoPass, twoPassTimeNs), twoPassTally,
                ComparedLoop.ENGINE));
    }

    /** String table, cache and coded symbols of the ticks. */
    public record Ticks(BatchSchema source, StringTable strings, LookupRelation relation, byte[] cached, int[] ids)
    {
        public static Ticks of(final TickData data)
        {
            final StringTable strings = PipelineBindings.newStrings(MemoryAccount.NONE);
            final int[] ids = data.coded(strings);
            final byte[] cached = new byte[TickData.SYMBOLS + 1];
            final LookupRelation relation = new LookupRelation(
                new BatchSchema(BenchQueries.SYMBOL), 0, strings, MemoryAccount.NONE);
            final EventBatch one = new EventBatch(relation.schema());
            for (int i = 0; i < TickData.SYMBOLS; i++)
            {
                if (TickData.isCached(i))
                {
                    final int id = strings.find(data.names[i]);
                    cached[id] = 1;
                    one.texts(0).writeCodes(strings)[0] = id;
                    one.size(1);
                    relation.upsert(one, 0);
                }
            }
            return new Ticks(new BatchSchema(BenchQueries.TICK), strings, relation, cached, ids);
        }
    }

    public static ColumnWorkload signal(final RuleText query, final BenchContext setting)
    {
        final TickData data = setting.ticks();
        final Ticks ticks = Ticks.of(data);
        final ResultChecksum engine = new ResultChecksum(new SymbolCodes(ticks.strings()));
        final ResultChecksum limit = new ResultChecksum();
        final BenchQueries.Ready ready =
            BenchQueries.start(List.of(BenchQueries.VIEW, query), ticks.source(), ticks.relation(), ticks.strings(),
            engine);
        final ResultChecksum passes = new ResultChecksum();
        final boolean pair = query == BenchQueries.PAIR;
        final EventBatchSink loop = pair ? new PairBaseline(ticks.cached(), ready.output(), limit) :
            new TrendBaseline(ticks.cached(), ready.output(), limit);
        final EventBatchSink twoPass = pair ? new PairTwoPass(ticks.cached(), ready.output(), passes) :
            new TrendTwoPass(ticks.cached(), ready.output(), passes);
        return new ColumnWorkload(setting.batchSize(), ticks.strings(), ticks.ids(), data.prices, ticks.source(), ready,
            loop, engine, limit, twoPass, passes);
    }

    /** Groups that are numbers. */
    public static ColumnWorkload groupedSum(final int groups, final BenchContext setting)
    {
        final StringTable strings = PipelineBindings.newStrings(MemoryAccount.NONE);
        SumData.names(groups, strings);
        final SumData data = SumData.of(groups, setting.seed());
        final BatchSchema source = new BatchSchema(BenchQueries.SAMPLE);
        final ResultChecksum engine = new ResultChecksum(new SymbolCodes(strings));
        final ResultChecksum limit = new ResultChecksum();
        final BenchQueries.Ready ready = BenchQueries.start(List.of(BenchQueries.SUM), source, null, strings, engine);
        return new ColumnWorkload(EventBatch.CAPACITY, strings, data.groups(), data.values(), source, ready,
            new SumBaseline(groups, ready.output(), limit), engine, limit, null, null);
    }

    @Override
    public int events()
    {
        return ids.length;
    }

    @Override
    public void runEngine()
    {
        for (int from = 0; from < ids.length; from += batchSize)
        {
            fill(from, engineTimeNs);
            ready.pipeline().onBatch(batch);
            engineTimeNs += batchSize;
        }
    }

    @Override
    public void runLimit()
    {
        limitTimeNs = run(limit, limitTimeNs);
    }

    @Override
    public List<ComparedLoop> others()
    {
        return others;
    }

    /** A pass of a hand-written loop from a time on; returns the time after it. */
    private long run(final EventBatchSink loop, final long startNs)
    {
        long timeNs = startNs;
        try
        {
            for (int from = 0; from < ids.length; from += batchSize)
            {
                fill(from, timeNs);
                loop.onBatch(batch);
                timeNs += batchSize;
            }
        }
        catch (final EventRejectedException e)
        {
            throw new IllegalStateException("the loop refuses its rows", e);
        }
        return timeNs;
    }

    private void fill(final int from, final long timeNs)
    {
        final int n = Math.min(batchSize, ids.length - from);
        System.arraycopy(ids, from, batch.texts(0).writeCodes(strings), 0, n);
        if (numbers instanceof double[] doubles)
        {
            System.arraycopy(doubles, from, batch.doubles(1), 0, n);
        }
        else
        {
            System.arraycopy((long[])numbers, from, batch.longs(1), 0, n);
        }
        batch.baseTimestampNs(timeNs);
        batch.size(n);
    }

    @Override
    public ResultChecksum engineTally()
    {
        return engineTally;
    }

    @Override
    public ResultChecksum limitTally()
    {
        return limitTally;
    }

    @Override
    public String javaText()
    {
        return ready.javaText();
    }
}
