package dev.millrace.tuning;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.cql.compiler.CompiledPipeline;
import dev.millrace.cql.compiler.PipelineCompiler;
import dev.millrace.cql.language.Catalog;
import dev.millrace.cql.language.CqlException;
import dev.millrace.cql.language.RuleText;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.PipelinePlan;
import dev.millrace.cql.planner.RulePlanner;
import dev.millrace.cql.runtime.Pipeline;
import dev.millrace.cql.runtime.PipelineBindings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Esper's benchmark kit: 1,000 registered statements, one a symbol, each the price weighted by volume of its symbol's
 * events of the last 30 seconds, or of its last 1,000 events. Batches of 256 events.
 */
final class VwapWorkload implements Workload
{
    private static final int RANGE_SECONDS = 30;
    private static final int ROWS = 1000;
    private static final int PERIOD_CAPACITY = 1 << 22;
    private static final long SECOND_NS = 1_000_000_000L;

    private final VwapData data;
    private final boolean brief;
    private final EventBatch batch;
    private final Pipeline pipeline;
    private final String javaText;
    private final EventBatchSink limit;
    private final Tally engineTally = new Tally();
    private final Tally limitTally = new Tally();
    private long engineTimeNs;
    private long limitTimeNs;

    /**
     * Makes the workload.
     *
     * @param variant {@code time} or {@code rows}
     */
    VwapWorkload(final String variant, final Setting setting)
    {
        data = new VwapData(Setting.SEED);
        brief = setting.isShort();
        batch = new EventBatch(data.schema);
        final PipelinePlan plan = plan(variant, data);
        final CompiledPipeline compiled = new PipelineCompiler().compile(plan);
        javaText = compiled.javaText();
        final Map<String, BatchSchema> schemas = new LinkedHashMap<>();
        final Map<String, EventBatchSink> sinks = new LinkedHashMap<>();
        final EventBatchSink check = new VwapCheck(engineTally);
        for (final Operator.Output output : plan.outputs())
        {
            schemas.put(output.queryId(), BatchSchema.sharing(output.type(), data.dictionary));
            sinks.put(output.queryId(), check);
        }
        pipeline = compiled.instantiate(new PipelineBindings(data.schema, schemas, sinks, Map.of(),
            VwapWorkload::refuse));
        final boolean byTime = variant.equals("time");
        limit = new VwapLimit(byTime ? RANGE_SECONDS * SECOND_NS : 0, byTime ? PERIOD_CAPACITY : ROWS,
            VwapData.SYMBOLS, schemas.values().iterator().next(), new VwapCheck(limitTally));
    }

    /** The statements; the window of rows is one a symbol, of which the statement asks for its own. */
    static List<RuleText> statements(final String variant, final VwapData data)
    {
        final String window = variant.equals("time") ? "range " + RANGE_SECONDS + " seconds" :
            "partition by symbol rows " + ROWS;
        final List<RuleText> rules = new ArrayList<>();
        for (final String symbol : data.names)
        {
            rules.add(RuleText.query("vwap" + symbol, "IStream(select '" + symbol + "' as symbol, " +
                "sum(price * volume) / sum(volume) as vwap, sum(volume) as volume from Market[" + window +
                "] where symbol = '" + symbol + "')"));
        }
        return rules;
    }

    private static PipelinePlan plan(final String variant, final VwapData data)
    {
        try
        {
            return new RulePlanner().plan("bench", statements(variant, data),
                Catalog.builder().stream("Market", VwapData.MARKET).build()).pipelines().get(0);
        }
        catch (final CqlException e)
        {
            throw new IllegalStateException("a rule of the benchmark is not understood: " + e.problems(), e);
        }
    }

    private static void refuse(final int rows, final String reason, final String detail)
    {
        throw new IllegalStateException("benchmark data was rejected, reason=" + reason + ": " + detail);
    }

    @Override
    public int events()
    {
        return VwapData.EVENTS;
    }

    @Override
    public void runEngine()
    {
        for (int from = 0; from < VwapData.EVENTS; from += EventBatch.CAPACITY)
        {
            engineTimeNs = data.fill(batch, from, EventBatch.CAPACITY, engineTimeNs);
            pipeline.onBatch(batch);
        }
    }

    @Override
    public void runLimit()
    {
        try
        {
            for (int from = 0; from < VwapData.EVENTS; from += EventBatch.CAPACITY)
            {
                limitTimeNs = data.fill(batch, from, EventBatch.CAPACITY, limitTimeNs);
                limit.onBatch(batch);
            }
        }
        catch (final EventRejectedException e)
        {
            throw new IllegalStateException("the loop refuses its rows", e);
        }
    }

    /** Latency of single events in an open loop, the engine's beside the loop's. */
    @Override
    public void describe(final Result result)
    {
        new VwapLatency(data, pipeline::onBatch, brief).run(engineTimeNs).describe(result, "engine");
        new VwapLatency(data, limit, brief).run(limitTimeNs).describe(result, "limit");
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
        return javaText;
    }
}
