package dev.millrace.cql.testkit;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.cql.compiler.flow.CompiledFlow;
import dev.millrace.cql.compiler.flow.FlowCompiler;
import dev.millrace.cql.functions.Aggregates;
import dev.millrace.cql.language.Catalog;
import dev.millrace.cql.language.problem.CqlException;
import dev.millrace.cql.language.problem.RuleText;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.planner.RulePlanner;
import dev.millrace.cql.runtime.flow.FlowBindings;
import dev.millrace.cql.runtime.flow.FlowEngine;
import dev.millrace.cql.runtime.function.GroupAggregateFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One query that runs in units over the channels S and R of rows (k int, v int), and the relations K and L of the same
 * rows without key; with small limits and test-specific aggregates. Not thread-safe.
 */
final class UnitHarness
{
    /** The aggregate that a test may replace; its argument and its value are doubles. */
    static final String OWN_AGGREGATE = "variance";

    private static final EventProperty[] COLUMNS =
        {new EventProperty("k", CqlType.INT), new EventProperty("v", CqlType.INT)};

    /** Flows that were compiled, by query and order. */
    private static final Map<String, CompiledFlow> COMPILED = new ConcurrentHashMap<>();

    /** Emitted rows, in order; those of a relation with their kind. */
    final List<String> lines = new ArrayList<>();
    /** The current content of the query's relation: each row and its number of copies. */
    final Map<List<Object>, Integer> bag = new HashMap<>();
    /** Rejected rows, by reason. */
    final Map<String, Integer> rejected = new TreeMap<>();

    private final FlowEngine engine;

    /**
     * Plans and compiles a query.
     *
     * @param own        replaces {@link #OWN_AGGREGATE}; {@code null} for that of the library
     * @param totalOrder whether all times differ, so that each row is an instant
     */
    UnitHarness(final String query, final boolean totalOrder, final int maxRows, final GroupAggregateFactory own)
        throws CqlException
    {
        final CompiledFlow flow = compiled(query, totalOrder);
        final Map<String, GroupAggregateFactory> aggregates = new HashMap<>(Aggregates.factories());
        if (own != null)
        {
            aggregates.put(OWN_AGGREGATE, own);
        }
        final FlowPlan.Output output = flow.plan().outputs().get(0);
        engine = flow.instantiate(new FlowBindings(
            Map.of(output.queryId(), new BatchSchema(output.type())),
            Map.of(output.queryId(), this::collect), Map.of(), aggregates,
            (rows, reason, detail) -> rejected.merge(reason, rows, Integer::sum), maxRows));
    }

    private static CompiledFlow compiled(final String query, final boolean totalOrder) throws CqlException
    {
        final CompiledFlow known = COMPILED.get(query + totalOrder);
        if (known != null)
        {
            return known;
        }
        final Catalog.Builder catalog = Catalog.builder();
        for (final String name : List.of("S", "R", "K", "L"))
        {
            catalog.add(new Catalog.ChannelSource(name, EventType.tuple(name, COLUMNS), name.compareTo("L") <= 0,
                totalOrder ? FlowNode.TimeKind.APPLICATION_TOTAL_ORDER : FlowNode.TimeKind.APPLICATION, false,
                List.of()));
        }
        final CompiledFlow flow = new FlowCompiler().compile(new RulePlanner().flowsOnly().plan("test",
            List.of(new RuleText("q", false, query, List.of(), null, null)), catalog.build()).flows().get(0));
        COMPILED.put(query + totalOrder, flow);
        return flow;
    }

    private void collect(final EventBatch out)
    {
        for (int row = 0; row < out.size(); row++)
        {
            final boolean leaves = out.kind(row) == EventBatch.DELETE;
            final List<Object> values = new ArrayList<>();
            for (int column = 0; column < out.schema().columnCount(); column++)
            {
                values.add(out.value(column, row));
            }
            lines.add(out.timestampNs(row) + (leaves ? " -" : " +") + values);
            bag.merge(values, leaves ? -1 : 1, Integer::sum);
            bag.remove(values, 0);
        }
    }

    private EventBatch batch(final String source, final long timeNs)
    {
        final EventBatch batch =
            new EventBatch(new BatchSchema(EventType.tuple(source, COLUMNS)));
        batch.baseTimestampNs(timeNs);
        return batch;
    }

    /** A row of a stream. */
    void row(final String source, final long timeNs, final int k, final int v)
    {
        change(source, timeNs, EventBatch.INSERT, k, v);
    }

    /** A change of a relation; ignored when the query does not read it. */
    void change(final String source, final long timeNs, final byte kind, final int k, final int v)
    {
        if (engine.source(source) < 0)
        {
            return;
        }
        final EventBatch batch = batch(source, timeNs);
        batch.ints(0)[0] = k;
        batch.ints(1)[0] = v;
        batch.useTimestampPerRow()[0] = timeNs;
        if (kind != EventBatch.INSERT)
        {
            batch.useKinds()[0] = kind;
        }
        batch.size(1);
        engine.onBatch(engine.source(source), batch);
    }

    /** Number of rows and groups that all operators currently store. */
    long kept()
    {
        return ((Map<?, ?>)engine.statistics().get("state")).values().stream()
            .mapToLong(each -> ((Number)each).longValue()).sum();
    }

    /** Advances the time of a channel; ignored when the query does not read it. */
    void heartbeat(final String source, final long timeNs)
    {
        if (engine.source(source) >= 0)
        {
            engine.onBatch(engine.source(source), batch(source, timeNs));
        }
    }
}
