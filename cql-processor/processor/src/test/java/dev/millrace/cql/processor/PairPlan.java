package dev.millrace.cql.processor;

import dev.millrace.api.cache.Cache;
import dev.millrace.api.cache.CacheSettings;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.event.TupleEvent;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.PipelinePlan;
import dev.millrace.cql.plan.ProcessorPlan;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Expression.Call;
import dev.millrace.cql.plan.expression.Expression.Column;
import dev.millrace.cql.plan.expression.Expression.Literal;
import dev.millrace.cql.plan.expression.Expression.PriorColumn;
import dev.millrace.cql.plan.expression.Field;
import dev.millrace.cql.plan.expression.Operation;
import dev.millrace.cql.plan.expression.OrderingConstraint;
import dev.millrace.network.cache.LocalCachingSystem;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.definition.SourcePosition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** A manually written plan of the white paper's pair query, with events for it and an independent computation. */
public final class PairPlan
{
    public static final String CHANNEL = "StockTickStream";
    public static final String QUERY = "perc";
    public static final EventType TICK = EventType.tuple("StockTick",
        new EventProperty("symbol", CqlType.CHAR), new EventProperty("lastPrice", CqlType.DOUBLE));
    public static final EventType SYMBOL = EventType.tuple("StockSymbol", new EventProperty("symbol", CqlType.CHAR));
    static final EventType PERC = EventType.tuple("proc.perc",
        new EventProperty("symbol", CqlType.CHAR), new EventProperty("lastPrice", CqlType.DOUBLE),
        new EventProperty("percLastPrice", CqlType.DOUBLE));
    static final String RELATION = "symbolsRelation";
    private static final double PERCENT = 2.0;

    private PairPlan()
    {
    }

    /** An event. */
    public record Tick(String symbol, double price)
    {
    }

    public static Cache cache(final String... symbols)
    {
        final Cache cache = new LocalCachingSystem().createCache(
            new CacheSettings("symbolsCache", SYMBOL, List.of("symbol"), 1_000_000, null));
        for (final String symbol : symbols)
        {
            put(cache, symbol);
        }
        return cache;
    }

    public static void put(final Cache cache, final String symbol)
    {
        cache.put(symbol, new TupleEvent(SYMBOL, symbol));
    }

    public static ProcessorStage stage(final Cache cache)
    {
        final CacheSettings settings = new CacheSettings("symbolsCache", SYMBOL, List.of("symbol"), 1_000_000, null);
        return new ProcessorStage("proc", "cql", List.of(),
            Map.of(RELATION, new ProcessorStage.CacheSource(cache, settings)), 0, List.of(), SourcePosition.NONE);
    }

    public static PlannedCqlProcessor planned(final Cache cache, final OrderingConstraint ordering)
    {
        return new PlannedCqlProcessor(stage(cache), plan(ordering));
    }

    public static ProcessorPlan plan(final OrderingConstraint ordering)
    {
        final Operator output = new Operator.Output(QUERY, PERC, Operator.OutputKind.STREAM);
        final Expression price = new PriorColumn(0, 1, CqlType.DOUBLE, true);
        final Expression before = new PriorColumn(1, 1, CqlType.DOUBLE, true);
        final Expression percent = number(Operation.DIVIDE,
            number(Operation.MULTIPLY, literal(100.0), number(Operation.SUBTRACT, price, before)), before);
        final Expression condition = condition(Operation.OR,
            condition(Operation.GREATER, percent, literal(PERCENT)),
            condition(Operation.LESS, percent, literal(-PERCENT)));
        final List<Expression> conditions = new ArrayList<>();
        conditions.add(null);
        conditions.add(condition);
        final Operator pattern = new Operator.FixedPattern(List.of(0), conditions, true,
            List.of(new Field("symbol", new PriorColumn(0, 0, CqlType.CHAR, true)), new Field("lastPrice", price),
                new Field("percLastPrice", percent)), List.of(output));
        final Operator join = new Operator.LookupJoin(new Operator.RelationSource(RELATION, SYMBOL, 0),
            new Column(0, CqlType.CHAR, true), null,
            List.of(new Field("symbol", new Column(0, CqlType.CHAR, true)),
                new Field("lastPrice", new Column(1, CqlType.DOUBLE, true))), List.of(pattern));
        final PipelinePlan pipeline = new PipelinePlan("s_perc", CHANNEL, TICK, ordering,
            ordering == OrderingConstraint.PARTITION_ORDERED ? 0 : -1, List.of(join));
        return new ProcessorPlan(List.of(pipeline), List.of());
    }

    private static Expression number(final Operation operation, final Expression left, final Expression right)
    {
        return new Call(operation, List.of(left, right), CqlType.DOUBLE, true);
    }

    private static Expression condition(final Operation operation, final Expression left, final Expression right)
    {
        return new Call(operation, List.of(left, right), CqlType.BOOLEAN, true);
    }

    private static Expression literal(final double value)
    {
        return new Literal(value, CqlType.DOUBLE);
    }

    public static List<Tick> ticks(final Random random, final int count, final int symbols)
    {
        final List<Tick> ticks = new ArrayList<>(count);
        for (int i = 0; i < count; i++)
        {
            ticks.add(new Tick("S" + random.nextInt(symbols), 100 + random.nextInt(8)));
        }
        return ticks;
    }

    /** Every other symbol is in the cache. */
    public static String[] halfOf(final int symbols)
    {
        final String[] half = new String[symbols / 2];
        for (int i = 0; i < half.length; i++)
        {
            half[i] = "S" + 2 * i;
        }
        return half;
    }

    /** The expected rows by symbol, computed without any part of the engine. */
    public static Map<Object, List<List<Object>>> expected(final List<Tick> ticks, final Set<String> known)
    {
        final Map<String, Double> last = new HashMap<>();
        final Map<Object, List<List<Object>>> expected = new LinkedHashMap<>();
        for (final Tick tick : ticks)
        {
            if (!known.contains(tick.symbol()))
            {
                continue;
            }
            final Double before = last.put(tick.symbol(), tick.price());
            if (before != null)
            {
                final double percent = 100 * (tick.price() - before) / before;
                if (percent > PERCENT || percent < -PERCENT)
                {
                    expected.computeIfAbsent(tick.symbol(), key -> new ArrayList<>())
                        .add(List.of(tick.symbol(), tick.price(), percent));
                }
            }
        }
        return expected;
    }

    /** Fills a batch, with ascending times. */
    public static void fill(final EventBatch batch, final List<Tick> ticks, final int from, final int count)
    {
        batch.clear();
        batch.baseTimestampNs(from);
        for (int i = 0; i < count; i++)
        {
            final Tick tick = ticks.get(from + i);
            batch.texts(0).set(i, tick.symbol());
            batch.doubles(1)[i] = tick.price();
        }
        batch.size(count);
    }
}
