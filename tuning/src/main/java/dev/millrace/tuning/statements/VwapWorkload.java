package dev.millrace.tuning.statements;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.cql.compiler.CompiledPipeline;
import dev.millrace.cql.compiler.PipelineCompiler;
import dev.millrace.cql.language.Catalog;
import dev.millrace.cql.language.problem.CqlException;
import dev.millrace.cql.language.problem.RuleText;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.PipelinePlan;
import dev.millrace.cql.planner.RulePlanner;
import dev.millrace.cql.runtime.Pipeline;
import dev.millrace.cql.runtime.PipelineBindings;
import dev.millrace.tuning.harness.BatchFeeder;
import dev.millrace.tuning.harness.BatchWorkload;
import dev.millrace.tuning.harness.BenchContext;
import dev.millrace.tuning.harness.BenchResult;
import dev.millrace.tuning.harness.ResultChecksum;
import dev.millrace.tuning.harness.SymbolCodes;
import dev.millrace.tuning.harness.Workload;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Esper's benchmark kit: 1,000 registered statements, one per symbol, each the volume-weighted price of its symbol's
 * events of the last 30 seconds, or of its last 1,000 events. Batches of 256 events.
 */
public final class VwapWorkload extends BatchWorkload
{
    private static final int RANGE_SECONDS = 30;
    private static final int ROWS = 1000;
    private static final int PERIOD_CAPACITY = 1 << 22;
    private static final long SECOND_NS = 1_000_000_000L;

    private final BatchFeeder engine;
    private final BatchFeeder limit;
    private final VwapData data;
    private final boolean brief;

    private VwapWorkload(
        final BatchFeeder engine, final BatchFeeder limit, final VwapData data, final boolean brief,
        final String javaText)
    {
        super(engine, limit, javaText);
        this.engine = engine;
        this.limit = limit;
        this.data = data;
        this.brief = brief;
    }

    /**
     * @param variant {@code time} or {@code rows}
     */
    public static Workload of(final String variant, final BenchContext setting)
    {
        final VwapData data = new VwapData(BenchContext.SEED);
        final EventBatch batch = new EventBatch(data.schema);
        final ResultChecksum engine = new ResultChecksum();
        final ResultChecksum limit = new ResultChecksum();
        final PipelinePlan plan = plan(variant, data);
        final CompiledPipeline compiled = new PipelineCompiler().compile(plan);
        final Map<String, BatchSchema> schemas = new LinkedHashMap<>();
        final Map<String, EventBatchSink> sinks = new LinkedHashMap<>();
        final EventBatchSink check = new VwapCheck(engine, new SymbolCodes(data.strings));
        for (final Operator.Output output : plan.outputs())
        {
            schemas.put(output.queryId(), new BatchSchema(output.type()));
            sinks.put(output.queryId(), check);
        }
        final Pipeline pipeline = compiled.instantiate(new PipelineBindings(data.schema, schemas, sinks, Map.of(),
            VwapWorkload::refuse, MemoryAccount.NONE, data.strings));
        final boolean byTime = variant.equals("time");
        final EventBatchSink loop = new VwapBaseline(byTime ? RANGE_SECONDS * SECOND_NS : 0, byTime ? PERIOD_CAPACITY :
            ROWS, VwapData.SYMBOLS, schemas.values().iterator().next(),
            new VwapCheck(limit, new SymbolCodes(data.strings)));
        return new VwapWorkload(new BatchFeeder(data, batch, pipeline::onBatch, engine),
            new BatchFeeder(data, batch, loop, limit), data, setting.isShort(), compiled.javaText());
    }

    /** The statements; the window of rows is partitioned by symbol, and the statement selects its symbol. */
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
            throw new IllegalStateException("a rule of the benchmark is invalid: " + e.problems(), e);
        }
    }

    private static void refuse(final int rows, final String reason, final String detail)
    {
        throw new IllegalStateException("benchmark data was rejected, reason=" + reason + ": " + detail);
    }

    /** Latency of single events in an open loop, of the engine and of the baseline. */
    @Override
    public void describe(final BenchResult result)
    {
        new VwapLatency(data, engine.sink(), brief).run(engine.timeNs()).describe(result, "engine");
        new VwapLatency(data, limit.sink(), brief).run(limit.timeNs()).describe(result, "limit");
    }
}
