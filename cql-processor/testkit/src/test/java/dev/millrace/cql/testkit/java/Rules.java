package dev.millrace.cql.testkit.java;

import dev.millrace.api.cartridge.Cartridges;
import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.cql.compiler.flow.FlowCompiler;
import dev.millrace.cql.language.Catalog;
import dev.millrace.cql.language.JavaClasses;
import dev.millrace.cql.language.problem.CqlException;
import dev.millrace.cql.language.problem.CqlProblem;
import dev.millrace.cql.language.problem.RuleText;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.planner.RulePlanner;
import dev.millrace.cql.runtime.flow.FlowBindings;
import dev.millrace.cql.runtime.flow.FlowEngine;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Rules over streams, run on the engine; rows are lists of values. */
final class Rules
{
    private final List<EventType> types = new ArrayList<>();
    private final List<RuleText> rules = new ArrayList<>();
    private final List<FlowPlan> plans = new ArrayList<>();
    private final List<FlowEngine> engines = new ArrayList<>();
    private final List<String> rejected = new ArrayList<>();
    private final Map<String, List<List<Object>>> rows = new HashMap<>();
    private JavaClasses classes = JavaClasses.of(Rules.class.getClassLoader());

    /** Stream S (c char, i int, b bigint, d double, o object). */
    Rules()
    {
        this(EventType.tuple("S", new EventProperty("c", CqlType.CHAR), new EventProperty("i", CqlType.INT),
            new EventProperty("b", CqlType.BIGINT), new EventProperty("d", CqlType.DOUBLE),
            new EventProperty("o", CqlType.OBJECT)));
    }

    Rules(final EventType... streams)
    {
        types.addAll(List.of(streams));
    }

    Rules classes(final JavaClasses finder)
    {
        classes = finder;
        return this;
    }

    Rules view(final String id, final String text)
    {
        rules.add(RuleText.view(id, text));
        return this;
    }

    Rules query(final String text)
    {
        rules.add(RuleText.query("q", text));
        return this;
    }

    /** The problem of the rules. */
    CqlProblem problem()
    {
        try
        {
            start();
        }
        catch (final CqlException wrong)
        {
            return wrong.problems().get(0);
        }
        throw new AssertionError("rules are not refused, rules=" + rules);
    }

    Rules start() throws CqlException
    {
        final Catalog.Builder catalog = Catalog.builder().classes(classes)
            .cartridges(Cartridges.installed(Rules.class.getClassLoader()));
        types.forEach(type -> catalog.stream(type.name(), type));
        for (final FlowPlan plan : new RulePlanner().flowsOnly().plan("rules", rules, catalog.build()).flows())
        {
            plans.add(plan);
            final Map<String, BatchSchema> schemas = new HashMap<>();
            final Map<String, EventBatchSink> sinks = new HashMap<>();
            for (final FlowPlan.Output output : plan.outputs())
            {
                schemas.put(output.queryId(), new BatchSchema(output.type()));
                sinks.put(output.queryId(), batch -> collect(output.queryId(), batch));
            }
            engines.add(new FlowCompiler().compile(plan).instantiate(new FlowBindings(schemas, sinks, Map.of(),
                Map.of(), (count, reason, detail) -> rejected.add(reason + ' ' + detail), 1000)));
        }
        return this;
    }

    private void collect(final String query, final EventBatch batch)
    {
        for (int row = 0; row < batch.size(); row++)
        {
            final Object[] values = new Object[batch.schema().columnCount()];
            for (int column = 0; column < values.length; column++)
            {
                values[column] = batch.value(column, row);
            }
            rows.computeIfAbsent(query, any -> new ArrayList<>()).add(Arrays.asList(values));
        }
    }

    /** A row of the first stream. */
    Rules row(final long timeMs, final Object... values)
    {
        return row(types.get(0), timeMs, values);
    }

    /** A row of a stream. */
    Rules row(final String stream, final long timeMs, final Object... values)
    {
        return row(types.stream().filter(type -> type.name().equals(stream)).findFirst().orElseThrow(), timeMs, values);
    }

    private Rules row(final EventType type, final long timeMs, final Object... values)
    {
        final EventBatch batch = new EventBatch(new BatchSchema(type));
        for (int column = 0; column < values.length; column++)
        {
            batch.setValue(column, 0, values[column]);
        }
        batch.useTimestampPerRow()[0] = timeMs * 1_000_000L;
        batch.size(1);
        for (final FlowEngine engine : engines)
        {
            final int index = engine.source(type.name());
            if (index >= 0)
            {
                engine.onBatch(index, batch);
            }
        }
        return this;
    }

    /** Nodes of the plans. */
    List<FlowNode> nodes()
    {
        return plans.stream().flatMap(plan -> nodes(plan).stream()).toList();
    }

    /** Output of the query. */
    List<List<Object>> rows()
    {
        return rows.getOrDefault("q", List.of());
    }

    /** Reasons and details of rejected rows. */
    List<String> rejected()
    {
        return rejected;
    }

    /** The only value that {@code select EXPRESSION as x from S} emits for a row. */
    static Object value(final String expression, final Object... row) throws CqlException
    {
        final Rules run = new Rules().query("select " + expression + " as x from S").start().row(1, row);
        if (run.rows().size() != 1)
        {
            throw new AssertionError("one row expected, rows=" + run.rows() + " rejected=" + run.rejected());
        }
        return run.rows().get(0).get(0);
    }

    /** Nodes of the plans, for inspection. */
    static List<FlowNode> nodes(final FlowPlan plan)
    {
        return FlowNode.upstream(plan.outputs().get(0).input());
    }
}
