package dev.millrace.cql.compiler.flow;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.RowType;
import dev.millrace.cql.plan.flow.WindowSpec;
import dev.millrace.cql.runtime.flow.Accumulator;
import dev.millrace.cql.runtime.flow.CountAccumulator;
import dev.millrace.cql.runtime.flow.DecimalSumAccumulator;
import dev.millrace.cql.runtime.flow.DistinctAccumulator;
import dev.millrace.cql.runtime.flow.ExtremeAccumulator;
import dev.millrace.cql.runtime.flow.FilterAccumulator;
import dev.millrace.cql.runtime.flow.FlowBindings;
import dev.millrace.cql.runtime.flow.FunctionAccumulator;
import dev.millrace.cql.runtime.flow.RowLayout;
import dev.millrace.cql.runtime.flow.RowStore;
import dev.millrace.cql.runtime.flow.SumAccumulator;
import dev.millrace.cql.runtime.flow.TickAccumulator;
import java.util.Arrays;
import java.util.List;

/** Makes what computes the aggregates of a group. */
final class Accumulators
{
    private static final String TICK = "tick of window";

    private final FlowBindings bindings;

    Accumulators(final FlowBindings bindings)
    {
        this.bindings = bindings;
    }

    Accumulator[] make(final FlowNode.Group group, final RowType input)
    {
        return group.aggregates().stream().map(each -> each.function().equals(TICK) ?
            new TickAccumulator(slideNs(group.input())) : make(each, input)).toArray(Accumulator[]::new);
    }

    /** The step of the only window below. */
    private static long slideNs(final FlowNode node)
    {
        return node instanceof FlowNode.Window window && window.window() instanceof WindowSpec.Range range ?
            range.slideNs() : slideNs(node.inputs().get(0));
    }

    private Accumulator make(final FlowNode.Aggregate aggregate, final RowType input)
    {
        final Accumulator accumulator = unfiltered(aggregate, input);
        return aggregate.filter() == FlowNode.Aggregate.ALL_ROWS ? accumulator :
            new FilterAccumulator(accumulator, aggregate.filter());
    }

    private Accumulator unfiltered(final FlowNode.Aggregate aggregate, final RowType input)
    {
        final int[] arguments = FlowAssembler.array(aggregate.arguments());
        final List<CqlType> types = aggregate.arguments().stream().map(input.types()::get).toList();
        if (!aggregate.distinct())
        {
            return plain(aggregate, arguments, types);
        }
        final int[] own = new int[arguments.length];
        Arrays.setAll(own, i -> i);
        return new DistinctAccumulator(plain(aggregate, own, types), arguments,
            new RowStore(new RowLayout(types.toArray(new CqlType[0])), bindings.maxRows(), bindings.memory()));
    }

    private Accumulator plain(
        final FlowNode.Aggregate aggregate, final int[] arguments, final List<CqlType> types)
    {
        final boolean isAverage = aggregate.function().equals("avg");
        return switch (aggregate.function())
        {
            case "count" -> new CountAccumulator(arguments.length == 0 ? -1 : arguments[0]);
            case "sum", "avg" -> types.get(0) == CqlType.BIGDECIMAL ?
                new DecimalSumAccumulator(arguments[0], isAverage) :
                new SumAccumulator(arguments[0], types.get(0), isAverage);
            case "min" -> new ExtremeAccumulator(arguments[0], false);
            case "max" -> new ExtremeAccumulator(arguments[0], true);
            default -> new FunctionAccumulator(aggregate.function(), arguments,
                FlowBindings.bound(bindings.aggregates(), aggregate.function(), "aggregate"));
        };
    }
}
