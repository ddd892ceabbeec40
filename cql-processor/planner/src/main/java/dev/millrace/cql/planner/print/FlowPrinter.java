package dev.millrace.cql.planner.print;

import static dev.millrace.cql.planner.print.ExpressionPrinter.fields;
import static dev.millrace.cql.planner.print.ExpressionPrinter.show;
import static dev.millrace.cql.planner.print.ExpressionPrinter.where;

import dev.millrace.cql.plan.expression.OrderingConstraint;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.plan.flow.FlowProperties;
import dev.millrace.cql.plan.flow.FlowRoute;
import dev.millrace.cql.plan.flow.RowType;
import dev.millrace.cql.planner.ordering.TwoPhasePlanner;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Formats flows for display: the last node first, its inputs indented below. A node with two consumers is printed once.
 */
final class FlowPrinter
{
    private final StringBuilder text = new StringBuilder();
    private final Map<FlowNode, Integer> numbers = new IdentityHashMap<>();

    private final FlowProperties properties;

    private FlowPrinter(final FlowProperties properties)
    {
        this.properties = properties;
    }

    static String print(final FlowPlan plan)
    {
        final TwoPhasePlanner steps = TwoPhasePlanner.of(plan);
        return steps == null ? print(plan, output -> "query ", order(plan)) :
            print(steps.merging(1), output -> "query ", order(plan) + ", merged on one worker") +
            print(steps.apart(), output -> steps.types().contains(output.type()) ? "part " : "query ",
                " on each worker");
    }

    private static String print(
        final FlowPlan plan, final Function<FlowPlan.Output, String> kind, final String order)
    {
        final FlowPrinter printer = new FlowPrinter(new FlowProperties(plan));
        for (final FlowPlan.Output output : plan.outputs())
        {
            printer.line(0, kind.apply(output) + output.queryId() + (output.stream() ? " stream " : " relation ") +
                output.input().rows().names() + order);
            printer.node(1, output.input());
        }
        return printer.text.toString();
    }

    /** Describes the distribution of rows to engines, if there are several. */
    private static String order(final FlowPlan plan)
    {
        if (plan.ordering() == OrderingConstraint.ORDERED)
        {
            return "";
        }
        final StringBuilder text = new StringBuilder(" ").append(plan.ordering());
        for (int i = 0; i < plan.sources().size(); i++)
        {
            final FlowRoute route = plan.routes().get(i);
            text.append(i == 0 ? " " : ", ").append(plan.sources().get(i).name()).append(switch (route.kind())
            {
                case ALL -> " to all";
                case ANY -> " to any";
                default -> " by " + show(route.value());
            });
        }
        return text.toString();
    }

    private void line(final int depth, final String content)
    {
        text.append("  ".repeat(depth)).append(content).append('\n');
    }

    private void node(final int depth, final FlowNode node)
    {
        final Integer known = numbers.putIfAbsent(node, numbers.size() + 1);
        if (known != null)
        {
            line(depth, "as " + known);
            return;
        }
        line(depth, numbers.get(node) + " " + describe(node));
        if (node instanceof FlowNode.Match match)
        {
            new PatternPrinter(match.pattern(), match.input().rows()).lines().forEach(each -> line(depth + 2, each));
        }
        node.inputs().forEach(input -> node(depth + 1, input));
    }

    private String describe(final FlowNode node)
    {
        if (node instanceof FlowNode.Source source)
        {
            final int columns = source.rows().size();
            return (source.relation() ? "relation " : "stream ") + source.name() + ' ' + read(source) +
                (properties.columnsRead(source).size() < columns ? " of " + columns + " columns" : "");
        }
        if (node instanceof FlowNode.Window window)
        {
            return "window " + WindowPrinter.window(window.window(), window.input().rows());
        }
        if (node instanceof FlowNode.Calc calc)
        {
            return "calc" + (calc.fields() == null ? "" : ' ' + fields(
                properties.columnsRead(calc).stream().map(calc.fields()::get).toList())) +
                where(" where ", calc.condition());
        }
        if (node instanceof FlowNode.Join join)
        {
            final boolean isKeyed = !join.leftKeys().isEmpty();
            return join.kind().name().toLowerCase(Locale.ROOT) + " join" +
                (isKeyed ? " on " + WindowPrinter.names(join.leftKeys(), join.left().rows()) + " = " +
                    WindowPrinter.names(join.rightKeys(), join.right().rows()) : "") +
                where(isKeyed ? " and " : " on ", join.condition()) + ' ' + read(join);
        }
        if (node instanceof FlowNode.Pull pull)
        {
            return "ask " + pull.kind().name().toLowerCase(Locale.ROOT) + ' ' + pull.source() + " by " +
                pull.keys().stream().map(ExpressionPrinter::show).toList();
        }
        if (node instanceof FlowNode.Group group)
        {
            final RowType rows = group.input().rows();
            return (group.keys().isEmpty() ? "group of all" : "group by " + WindowPrinter.names(group.keys(), rows)) +
                ' ' + group.aggregates().stream().map(each -> describe(each, rows)).toList();
        }
        if (node instanceof FlowNode.Match match)
        {
            return new PatternPrinter(match.pattern(), match.input().rows()).head();
        }
        return describeOther(node);
    }

    private static String describe(final FlowNode.Aggregate aggregate, final RowType rows)
    {
        return aggregate.function() + '(' + (aggregate.distinct() ? "distinct " : "") +
            (aggregate.arguments().isEmpty() ? "*" : WindowPrinter.names(aggregate.arguments(), rows)) + ')' +
            (aggregate.filter() == FlowNode.Aggregate.ALL_ROWS ? "" :
                " filter " + rows.names().get(aggregate.filter()));
    }

    /** Names of the columns that a node's rows contain: those that are read. */
    private List<String> read(final FlowNode node)
    {
        return properties.columnsRead(node).stream().map(node.rows().names()::get).toList();
    }

    private static String describeOther(final FlowNode node)
    {
        if (node instanceof FlowNode.SetOperation set)
        {
            return set.kind().name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
        if (node instanceof FlowNode.Sort sort)
        {
            return "sort by " + keys(sort.keys(), sort.input().rows());
        }
        if (node instanceof FlowNode.TopN top)
        {
            return "top " + top.limit() + " by " + keys(top.keys(), top.input().rows()) +
                (top.partitionBy().isEmpty() ? "" :
                    " partition by " + WindowPrinter.names(top.partitionBy(), top.input().rows()));
        }
        if (node instanceof FlowNode.ToStream stream)
        {
            return stream.kind().name().toLowerCase(Locale.ROOT) + (stream.difference().isEmpty() ? "" :
                " difference using " + WindowPrinter.names(stream.difference(), stream.input().rows()));
        }
        if (node instanceof FlowNode.Evaluate evaluate)
        {
            return "evaluate every " + WindowPrinter.time(evaluate.periodNs());
        }
        return node instanceof FlowNode.Timed ? "time of rows" : "distinct";
    }

    private static String keys(final List<FlowNode.SortKey> keys, final RowType rows)
    {
        return keys.stream().map(key -> rows.names().get(key.column()) + (key.descending() ? " desc" : "") +
            (key.nullsFirst() == key.descending() ? "" : key.nullsFirst() ? " nulls first" : " nulls last"))
            .collect(Collectors.joining(", "));
    }
}
