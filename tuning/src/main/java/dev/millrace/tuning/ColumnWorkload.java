package dev.millrace.tuning;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.api.text.Codes;
import dev.millrace.cql.language.RuleText;
import dev.millrace.cql.runtime.LookupRelation;
import dev.millrace.cql.runtime.PipelineBindings;
import java.util.List;

/** Columns in, columns out: events are copied into one reused batch, as an adapter fills it. */
final class ColumnWorkload implements Workload
{
    private final int batchSize;
    private final Codes strings;
    private final int[] ids;
    private final Object numbers;
    private final EventBatch batch;
    private final Rules.Ready ready;
    private final EventBatchSink limit;
    private final Tally engineTally;
    private final Tally limitTally;
    private final List<Loop> others;
    private long engineTimeNs;
    private long limitTimeNs;
    private long twoPassTimeNs;

    private ColumnWorkload(final int batchSize, final Codes strings, final int[] ids, final Object numbers,
        final BatchSchema source, final Rules.Ready ready, final EventBatchSink limit, final Tally engineTally,
        final Tally limitTally,
        final EventBatchSink twoPass, final Tally twoPassTally)
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
            List.of(new Loop("twoPass", () -> twoPassTimeNs = run(twoPass, twoPassTimeNs), twoPassTally, Loop.ENGINE));
    }

    /** String table, cache and coded symbols of the ticks. */
    record Ticks(BatchSchema source, Codes strings, LookupRelation relation, byte[] cached, int[] ids)
    {
        static Ticks of(final TickData data)
        {
            final Codes strings = PipelineBindings.newStrings(MemoryAccount.NONE);
            final int[] ids = data.coded(strings);
            final byte[] cached = new byte[TickData.SYMBOLS + 1];
            final LookupRelation relation = new LookupRelation(
                new BatchSchema(Rules.SYMBOL), 0, strings, MemoryAccount.NONE);
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
            return new Ticks(new BatchSchema(Rules.TICK), strings, relation, cached, ids);
        }
    }

    static ColumnWorkload signal(final RuleText query, final Setting setting)
    {
        final TickData data = setting.ticks();
        final Ticks ticks = Ticks.of(data);
        final Tally engine = new Tally(new SymbolCodes(ticks.strings()));
        final Tally limit = new Tally();
        final Rules.Ready ready =
            Rules.start(List.of(Rules.VIEW, query), ticks.source(), ticks.relation(), ticks.strings(), engine);
        final Tally passes = new Tally();
        final boolean pair = query == Rules.PAIR;
        final EventBatchSink loop = pair ? new PairLimit(ticks.cached(), ready.output(), limit) :
            new TrendLimit(ticks.cached(), ready.output(), limit);
        final EventBatchSink twoPass = pair ? new PairTwoPass(ticks.cached(), ready.output(), passes) :
            new TrendTwoPass(ticks.cached(), ready.output(), passes);
        return new ColumnWorkload(setting.batchSize(), ticks.strings(), ticks.ids(), data.prices, ticks.source(), ready,
            loop, engine, limit, twoPass, passes);
    }

    /** Groups that are numbers. */
    static ColumnWorkload groupedSum(final int groups, final Setting setting)
    {
        final Codes strings = PipelineBindings.newStrings(MemoryAccount.NONE);
        SumData.names(groups, strings);
        final SumData data = SumData.of(groups, setting.seed());
        final BatchSchema source = new BatchSchema(Rules.SAMPLE);
        final Tally engine = new Tally(new SymbolCodes(strings));
        final Tally limit = new Tally();
        final Rules.Ready ready = Rules.start(List.of(Rules.SUM), source, null, strings, engine);
        return new ColumnWorkload(EventBatch.CAPACITY, strings, data.groups(), data.values(), source, ready,
            new SumLimit(groups, ready.output(), limit), engine, limit, null, null);
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
    public List<Loop> others()
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
    public Tally engineTally()
    {
        return engineTally;
    }

    @Override
    public Tally limitTally()
    {
        return limitTally;
    }

    @Override
    public String javaText()
    {
        return ready.javaText();
    }
}
