package dev.millrace.tuning.engine;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.string.StringTable;
import dev.millrace.cql.compiler.CompiledPipeline;
import dev.millrace.cql.compiler.PipelineCompiler;
import dev.millrace.cql.language.Catalog;
import dev.millrace.cql.language.problem.CqlException;
import dev.millrace.cql.language.problem.RuleText;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.PipelinePlan;
import dev.millrace.cql.planner.RulePlanner;
import dev.millrace.cql.runtime.LookupRelation;
import dev.millrace.cql.runtime.Pipeline;
import dev.millrace.cql.runtime.PipelineBindings;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The statements that are measured, from their source text to an instance. */
public final class BenchQueries
{
    public static final EventType TICK = EventType.tuple(
        "StockTick", new EventProperty("symbol", CqlType.CHAR), new EventProperty("lastPrice", CqlType.DOUBLE));
    public static final EventType SYMBOL = EventType.tuple("StockSymbol", new EventProperty("symbol", CqlType.CHAR));
    public static final EventType SAMPLE = EventType.tuple(
        "SampleEvent", new EventProperty("p0", CqlType.CHAR), new EventProperty("p1", CqlType.BIGINT));
    public static final EventType TRADE = EventType.tuple("Trade", new EventProperty("symbol", CqlType.CHAR),
        new EventProperty("price", CqlType.DOUBLE), new EventProperty("volume", CqlType.BIGINT));
    public static final long LEAST_SUM = 100_000_000;
    /** A price that no trade has. */
    public static final double TOO_HIGH = 1e9;

    /** View of the white paper. */
    public static final RuleText VIEW = RuleText.view("s", """
        RStream(select T.symbol, T.lastPrice from StockTickStream[now] as T, symbolsRelation as R
        where T.symbol = R.symbol)
        """, "symbol", "lastPrice").partitionOrdered("T.symbol");
    /** Query of the white paper. */
    public static final RuleText PAIR = RuleText.query("perc", """
        select symbol, lastPrice, percLastPrice
        from S MATCH_RECOGNIZE (
          PARTITION BY symbol
          MEASURES
            B.symbol as symbol,
            B.lastPrice as lastPrice,
            100*(B.lastPrice - A.lastPrice)/A.lastPrice as percLastPrice
          ALL MATCHES
          PATTERN (A B)
          DEFINE
            B AS (100*(B.lastPrice - A.lastPrice)/A.lastPrice > 2.0
                  or 100*(B.lastPrice - A.lastPrice)/A.lastPrice < -2.0)
        ) as T
        """).partitionOrdered("symbol");
    /** Four successive changes of more than two percent in one direction. */
    public static final RuleText TREND = RuleText.query("trend", """
        select symbol, lastPrice, percTrend
        from S MATCH_RECOGNIZE (
          PARTITION BY symbol
          MEASURES
            E.symbol as symbol,
            E.lastPrice as lastPrice,
            100*(E.lastPrice - A.lastPrice)/A.lastPrice as percTrend
          ALL MATCHES
          PATTERN (A B C D E)
          DEFINE
            B AS (100*(B.lastPrice - A.lastPrice)/A.lastPrice > 2.0
                  or 100*(B.lastPrice - A.lastPrice)/A.lastPrice < -2.0),
            C AS ((B.lastPrice > A.lastPrice and 100*(C.lastPrice - B.lastPrice)/B.lastPrice > 2.0)
                  or (B.lastPrice < A.lastPrice and 100*(C.lastPrice - B.lastPrice)/B.lastPrice < -2.0)),
            D AS ((B.lastPrice > A.lastPrice and 100*(D.lastPrice - C.lastPrice)/C.lastPrice > 2.0)
                  or (B.lastPrice < A.lastPrice and 100*(D.lastPrice - C.lastPrice)/C.lastPrice < -2.0)),
            E AS ((B.lastPrice > A.lastPrice and 100*(E.lastPrice - D.lastPrice)/D.lastPrice > 2.0)
                  or (B.lastPrice < A.lastPrice and 100*(E.lastPrice - D.lastPrice)/D.lastPrice < -2.0))
        ) as T
        """).partitionOrdered("symbol");
    /** Grouped sum that shows a group once it has reached a limit. */
    public static final RuleText SUM = RuleText.query(
        "sums", "select p0, sum(p1) from SampleEvents group by p0 having sum(p1) >= " + LEAST_SUM);
    /** All columns of all rows. */
    public static final RuleText PASS = RuleText.query("pass", "select * from Trades");
    /** A condition that no row meets. */
    public static final RuleText FILTER =
        RuleText.query("filter", "select * from Trades where price > 1000000000.0");

    /**
     * A statement that is ready to run.
     *
     * @param output schema of its output
     */
    public record Ready(Pipeline pipeline, String javaText, BatchSchema output)
    {
    }

    private BenchQueries()
    {
    }

    /**
     * Plans, compiles and instantiates rules; the only relation, if any, is provided. Its strings are codes of a table.
     */
    public static Ready start(final List<RuleText> rules, final BatchSchema source, final LookupRelation relation,
        final StringTable strings, final EventBatchSink sink)
    {
        final Catalog catalog = Catalog.builder().stream("StockTickStream", TICK).stream("SampleEvents", SAMPLE)
            .stream("Trades", TRADE).cache("symbolsRelation", SYMBOL, List.of("symbol")).build();
        final PipelinePlan plan;
        try
        {
            plan = new RulePlanner().plan("bench", rules, catalog).pipelines().get(0);
        }
        catch (final CqlException e)
        {
            throw new IllegalStateException("a rule of the benchmark is invalid: " + e.problems(), e);
        }
        final Operator.Output output = plan.outputs().get(0);
        final BatchSchema schema = new BatchSchema(output.type());
        final Map<String, LookupRelation> relations = new HashMap<>();
        plan.roots().stream().filter(Operator.LookupJoin.class::isInstance).map(Operator.LookupJoin.class::cast)
            .forEach(join -> relations.put(join.relation().id(), relation));
        final CompiledPipeline compiled = new PipelineCompiler().compile(plan);
        return new Ready(compiled.instantiate(new PipelineBindings(source, Map.of(output.queryId(), schema),
            Map.of(output.queryId(), sink), relations, BenchQueries::refuse, MemoryAccount.NONE, strings)),
            compiled.javaText(), schema);
    }

    private static void refuse(final int rows, final String reason, final String detail)
    {
        throw new IllegalStateException("benchmark data was rejected, reason=" + reason + ": " + detail);
    }
}
