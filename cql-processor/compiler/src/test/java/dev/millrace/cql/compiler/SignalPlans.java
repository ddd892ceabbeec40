package dev.millrace.cql.compiler;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.PipelinePlan;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Field;
import dev.millrace.cql.plan.expression.Operation;
import dev.millrace.cql.plan.expression.OrderingConstraint;
import java.util.Arrays;
import java.util.List;

/** Plans of the Signal Generation application, written by hand. */
public final class SignalPlans
{
    static final EventType TICK = EventType.tuple("StockTick", new EventProperty("symbol", CqlType.CHAR),
        new EventProperty("lastPrice", CqlType.DOUBLE), new EventProperty("volume", CqlType.BIGINT));
    static final EventType SYMBOL = EventType.tuple("StockSymbol", new EventProperty("symbol", CqlType.CHAR));
    static final EventType SIGNAL = EventType.tuple("Signal", new EventProperty("symbol", CqlType.CHAR),
        new EventProperty("lastPrice", CqlType.DOUBLE), new EventProperty("percLastPrice", CqlType.DOUBLE));
    static final EventType TREND = EventType.tuple("Trend", new EventProperty("symbol", CqlType.CHAR),
        new EventProperty("lastPrice", CqlType.DOUBLE), new EventProperty("trendLastPrice", CqlType.DOUBLE));
    static final EventType SUM = EventType.tuple("Sums", new EventProperty("symbol", CqlType.CHAR),
        new EventProperty("total", CqlType.BIGINT));

    private SignalPlans()
    {
    }

    static Expression column(final int column, final CqlType type)
    {
        return new Expression.Column(column, type, true);
    }

    static Expression prior(final int offset, final int column, final CqlType type)
    {
        return new Expression.PriorColumn(offset, column, type, true);
    }

    static Expression call(final Operation operation, final CqlType type, final Expression... arguments)
    {
        return new Expression.Call(operation, List.of(arguments), type, true);
    }

    static Expression number(final double value)
    {
        return new Expression.Literal(value, CqlType.DOUBLE);
    }

    /** 100*(newer - older)/older. */
    static Expression change(final int older, final int newer)
    {
        final Expression before = prior(older, 1, CqlType.DOUBLE);
        return call(Operation.DIVIDE, CqlType.DOUBLE, call(Operation.MULTIPLY, CqlType.DOUBLE,
            call(Operation.CONVERT, CqlType.DOUBLE, new Expression.Literal(100, CqlType.INT)),
            call(Operation.SUBTRACT, CqlType.DOUBLE, prior(newer, 1, CqlType.DOUBLE), before)), before);
    }

    static Expression more(final Expression left, final double right)
    {
        return call(Operation.GREATER, CqlType.BOOLEAN, left, number(right));
    }

    static Expression less(final Expression left, final double right)
    {
        return call(Operation.LESS, CqlType.BOOLEAN, left, number(right));
    }

    static Operator pair(final List<Operator> consumers)
    {
        final Expression condition =
            call(Operation.OR, CqlType.BOOLEAN, more(change(1, 0), 2.0), less(change(1, 0), -2.0));
        return new Operator.FixedPattern(List.of(0), Arrays.asList(null, condition), true, List.of(
            new Field("symbol", prior(0, 0, CqlType.CHAR)), new Field("lastPrice", prior(0, 1, CqlType.DOUBLE)),
            new Field("percLastPrice", change(1, 0))), consumers);
    }

    private static Expression step(final boolean second)
    {
        final Expression up = more(change(1, 0), 2.0);
        final Expression down = less(change(1, 0), -2.0);
        if (!second)
        {
            return call(Operation.OR, CqlType.BOOLEAN, up, down);
        }
        return call(Operation.OR, CqlType.BOOLEAN, call(Operation.AND, CqlType.BOOLEAN, up, more(change(2, 1), 2.0)),
            call(Operation.AND, CqlType.BOOLEAN, down, less(change(2, 1), -2.0)));
    }

    static Operator trend(final List<Operator> consumers)
    {
        return new Operator.FixedPattern(List.of(0),
            Arrays.asList(null, step(false), step(true), step(true), step(true)), true,
            List.of(new Field("symbol", prior(0, 0, CqlType.CHAR)),
                new Field("lastPrice", prior(0, 1, CqlType.DOUBLE)), new Field("trendLastPrice", change(4, 0))),
            consumers);
    }

    static Operator view(final List<Operator> consumers)
    {
        return new Operator.LookupJoin(new Operator.RelationSource("symbolsRelation", SYMBOL, 0),
            column(0, CqlType.CHAR), null, List.of(new Field("symbol", column(0, CqlType.CHAR)),
                new Field("lastPrice", column(1, CqlType.DOUBLE))), consumers);
    }

    static Operator output(final String id, final EventType type)
    {
        return new Operator.Output(id, type, Operator.OutputKind.STREAM);
    }

    public static PipelinePlan pairPlan()
    {
        return plan("perc", view(List.of(pair(List.of(output("perc", SIGNAL))))));
    }

    static PipelinePlan bothPlan()
    {
        return plan("perc, trend", view(List.of(pair(List.of(output("perc", SIGNAL))),
            trend(List.of(output("trend", TREND))))));
    }

    public static PipelinePlan sumPlan(final long least)
    {
        final Expression total = new Expression.AggregateValue(0, CqlType.BIGINT, true);
        return plan("sums", new Operator.GroupedAggregate(List.of(column(0, CqlType.CHAR)),
            List.of(new Operator.Aggregate(
                Operator.AggregateFunction.SUM, column(2, CqlType.BIGINT), CqlType.BIGINT)),
            call(Operation.GREATER_OR_EQUAL, CqlType.BOOLEAN, total, new Expression.Literal(least, CqlType.BIGINT)),
            List.of(new Field("symbol", new Expression.KeyValue(0, CqlType.CHAR, true)), new Field("total", total)),
            List.of(new Operator.Output("sums", SUM, Operator.OutputKind.RELATION))));
    }

    /** The number of the last rows with each symbol. */
    static PipelinePlan windowPlan(final int rows)
    {
        return plan("counts", new Operator.WindowAggregate(new Operator.Window(0, rows),
            List.of(column(0, CqlType.CHAR)), List.of(new Operator.Aggregate(
                Operator.AggregateFunction.COUNT, null, CqlType.BIGINT)), null,
            List.of(new Field("symbol", new Expression.KeyValue(0, CqlType.CHAR, true)),
                new Field("total", new Expression.AggregateValue(0, CqlType.BIGINT, true))),
            List.of(new Operator.Output("counts", SUM, Operator.OutputKind.RELATION))));
    }

    static PipelinePlan plan(final String name, final Operator... roots)
    {
        return new PipelinePlan(
            name, "StockTickStream", TICK, OrderingConstraint.PARTITION_ORDERED, 0, List.of(roots));
    }
}
