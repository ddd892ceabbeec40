package dev.millrace.cql.planner.print;

import static dev.millrace.cql.planner.print.ExpressionPrinter.fields;
import static dev.millrace.cql.planner.print.ExpressionPrinter.show;
import static dev.millrace.cql.planner.print.ExpressionPrinter.sign;
import static dev.millrace.cql.planner.print.ExpressionPrinter.where;

import dev.millrace.api.event.EventProperty;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.PipelinePlan;
import dev.millrace.cql.plan.ProcessorPlan;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Field;
import dev.millrace.cql.plan.expression.OrderingConstraint;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Formats plans for display and tests. Columns are {@code $0}, those of the looked-up row {@code relation.$0}, those of
 * the second preceding row {@code $0@2}; types follow conversions and outputs.
 */
public final class PlanPrinter
{
    private final StringBuilder text = new StringBuilder();

    private PlanPrinter()
    {
    }

    public static String print(final ProcessorPlan plan)
    {
        final PlanPrinter printer = new PlanPrinter();
        plan.pipelines().forEach(printer::pipeline);
        plan.flows().forEach(flow -> printer.text.append(FlowPrinter.print(flow)));
        return printer.text.toString();
    }

    private void line(final int depth, final String content)
    {
        text.append("  ".repeat(depth)).append(content).append('\n');
    }

    private void pipeline(final PipelinePlan pipeline)
    {
        line(0, "query " + pipeline.name() + " over " + pipeline.sourceChannel() + ' ' + pipeline.ordering() +
            (pipeline.ordering() == OrderingConstraint.PARTITION_ORDERED
                ? " by " + pipeline.sourceType().properties().get(pipeline.partitionColumn()).name() : ""));
        pipeline.roots().forEach(root -> operator(1, root));
    }

    private void operator(final int depth, final Operator operator)
    {
        if (operator instanceof Operator.Calc calc)
        {
            line(depth, "calc " + fields(calc.fields()) + where(" where ", calc.condition()));
        }
        else if (operator instanceof Operator.LookupJoin join)
        {
            lookup(depth, join);
        }
        else if (operator instanceof Operator.FixedPattern pattern)
        {
            pattern(depth, pattern);
        }
        else if (operator instanceof Operator.SequencePattern pattern)
        {
            sequence(depth, pattern);
        }
        else if (operator instanceof Operator.GroupedAggregate group)
        {
            line(depth, groups(group.keys(), group.aggregates(), group.fields(), group.having()));
        }
        else if (operator instanceof Operator.WindowAggregate window)
        {
            line(depth, "window " + window(window.window()) + ' ' +
                groups(window.keys(), window.aggregates(), window.fields(), window.having()));
        }
        else if (operator instanceof Operator.WindowIStream rows)
        {
            line(depth, "new rows of window " + window(rows.window()) + ' ' + fields(rows.fields()));
        }
        else if (operator instanceof Operator.Family family)
        {
            line(depth, "family of " + family.members().size() + " statements");
        }
        else if (operator instanceof Operator.KeyedOutputs keyed)
        {
            keyed(depth, keyed);
        }
        else if (operator instanceof Operator.Output output)
        {
            output(depth, output);
        }
        operator.consumers().forEach(consumer -> operator(depth + 1, consumer));
    }

    private void lookup(final int depth, final Operator.LookupJoin join)
    {
        line(depth, "lookup " + join.relation().id() + " on relation.$" + join.relation().keyColumn() + " = " +
            show(join.key()) + ' ' + fields(join.fields()) + where(" where ", join.condition()));
    }

    private void pattern(final int depth, final Operator.FixedPattern pattern)
    {
        line(depth, "pattern" + (pattern.allMatches() ? " all" : "") + " partition by " + pattern.partitionBy() + ' ' +
            fields(pattern.measures()));
        for (int i = 0; i < pattern.conditions().size(); i++)
        {
            final Expression condition = pattern.conditions().get(i);
            line(depth + 2, "row " + i + ": " + (condition == null ? "any" : show(condition)));
        }
    }

    private void sequence(final int depth, final Operator.SequencePattern pattern)
    {
        line(depth, "sequence partition by " + pattern.partitionBy() + within(pattern.within()) + ' ' +
            fields(pattern.fields()) + where(" where ", pattern.condition()));
        line(depth + 2, "start: " + (pattern.start() == null ? "any" : show(pattern.start())));
        line(depth + 2, "end: " + show(pattern.value()) + ' ' + sign(pattern.comparison()) + " start's " +
            show(pattern.bound()) + (pattern.between() == Operator.Between.ANY ? ", each" : ", the first"));
    }

    private static String groups(final List<Expression> keys, final List<Operator.Aggregate> aggregates,
        final List<Field> fields, final Expression having)
    {
        return "group by " + keys.stream().map(ExpressionPrinter::show).collect(Collectors.toList()) + ' ' +
            aggregates.stream().map(PlanPrinter::aggregate).collect(Collectors.toList()) + ' ' + fields(fields) +
            where(" having ", having);
    }

    private void output(final int depth, final Operator.Output output)
    {
        line(depth, "output " + output.kind().name().toLowerCase(Locale.ROOT) + ' ' + output.type().name() + '(' +
            output.type().properties().stream().map(PlanPrinter::property).collect(Collectors.joining(", ")) + ')');
    }

    private void keyed(final int depth, final Operator.KeyedOutputs keyed)
    {
        line(depth, "by value of " + show(keyed.key()) + ": " + keyed.values().stream().map(ExpressionPrinter::show)
            .collect(Collectors.joining(", ")) + (keyed.shape() == null ? ' ' + fields(keyed.fields()) : ""));
        if (keyed.shape() != null)
        {
            operator(depth + 1, keyed.shape());
        }
    }

    private static String window(final Operator.Window window)
    {
        return window.rangeNs() > 0 ? "range " + window.rangeNs() + " ns" : "rows " + window.rows();
    }

    private static String within(final Operator.Within within)
    {
        return within.ns() == 0 ? "" : " within " + (within.inclusive() ? "inclusive " : "") + within.ns() + " ns";
    }

    private static String property(final EventProperty property)
    {
        return property.name() + ' ' + property.type().cqlName();
    }

    private static String aggregate(final Operator.Aggregate aggregate)
    {
        return aggregate.function().name().toLowerCase(Locale.ROOT) + '(' +
            (aggregate.argument() == null ? "*" : show(aggregate.argument())) + ") " + aggregate.type().cqlName();
    }
}
