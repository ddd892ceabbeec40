package dev.millrace.cql.testkit.command;

import dev.millrace.cql.compiler.CompiledPipeline;
import dev.millrace.cql.compiler.flow.CompiledFlow;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowPlan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Estimated cost of statements: nanoseconds of CPU time for a row that passes every filter, by operator. The costs are
 * those of the queries in the benchmarks of the project, rounded; state that exceeds the processor caches and long
 * strings cost more.
 *
 * <p>Thread-safe.
 */
final class CostEstimate
{
    /** Cost of a row in an operator, with its name for people. */
    private record Cost(String name, int ns)
    {
    }

    private static final Map<Class<?>, Cost> COSTS = Map.ofEntries(
        Map.entry(FlowNode.Source.class, new Cost("source", 3)),
        Map.entry(FlowNode.Calc.class, new Cost("calc", 2)),
        Map.entry(FlowNode.Timed.class, new Cost("time", 1)),
        Map.entry(FlowNode.Window.class, new Cost("window", 8)),
        Map.entry(FlowNode.Group.class, new Cost("group", 20)),
        Map.entry(FlowNode.Join.class, new Cost("join", 30)),
        Map.entry(FlowNode.Pull.class, new Cost("look-up", 60)),
        Map.entry(FlowNode.Distinct.class, new Cost("distinct", 20)),
        Map.entry(FlowNode.SetOperation.class, new Cost("set operation", 30)),
        Map.entry(FlowNode.Sort.class, new Cost("sort", 60)),
        Map.entry(FlowNode.TopN.class, new Cost("top n", 40)),
        Map.entry(FlowNode.ToStream.class, new Cost("to stream", 8)),
        Map.entry(FlowNode.Evaluate.class, new Cost("evaluate", 8)),
        Map.entry(FlowNode.Match.class, new Cost("pattern", 25)),
        Map.entry(Operator.Calc.class, new Cost("calc", 2)),
        Map.entry(Operator.LookupJoin.class, new Cost("look-up", 5)),
        Map.entry(Operator.FixedPattern.class, new Cost("pattern", 6)),
        Map.entry(Operator.SequencePattern.class, new Cost("pattern", 15)),
        Map.entry(Operator.GroupedAggregate.class, new Cost("group", 6)),
        Map.entry(Operator.WindowAggregate.class, new Cost("window and group", 15)),
        Map.entry(Operator.WindowIStream.class, new Cost("window", 4)),
        Map.entry(Operator.Output.class, new Cost("output", 3)));
    private static final Cost OUTPUT = new Cost("output", 3);
    private static final Cost RELATION_OUTPUT = new Cost("output of changes", 15);
    private static final Cost OTHER = new Cost("other", 2);

    private final Map<String, Integer> costs = new LinkedHashMap<>();

    /** Lines about a flow: a line per query, followed by what makes it slow. */
    static List<String> of(final CompiledFlow flow)
    {
        final List<String> lines = new ArrayList<>();
        for (final FlowPlan.Output output : flow.plan().outputs())
        {
            final CostEstimate estimate = new CostEstimate();
            for (final FlowNode node : FlowNode.upstream(output.input()))
            {
                estimate.add(COSTS.getOrDefault(node.getClass(), OTHER));
            }
            estimate.add(output.stream() ? OUTPUT : RELATION_OUTPUT);
            lines.add(estimate.line(output.queryId()));
            PerformanceHints.of(output).forEach(note -> lines.add("  " + note));
        }
        return lines;
    }

    /** A line about the queries that share a pipeline. */
    static List<String> of(final CompiledPipeline pipeline)
    {
        final CostEstimate estimate = new CostEstimate();
        estimate.add(COSTS.get(FlowNode.Source.class));
        pipeline.plan().roots().forEach(estimate::add);
        return List.of(estimate.line(pipeline.plan().outputs().stream().map(Operator.Output::queryId).distinct()
            .collect(Collectors.joining(", "))));
    }

    private void add(final Operator operator)
    {
        add(COSTS.getOrDefault(operator.getClass(), OTHER));
        operator.consumers().forEach(this::add);
    }

    private void add(final Cost cost)
    {
        costs.merge(cost.name(), cost.ns(), Integer::sum);
    }

    private String line(final String query)
    {
        return String.format(Locale.ROOT, "%s: about %,d ns per row (%s)", query,
            costs.values().stream().mapToInt(Integer::intValue).sum(), costs.entrySet().stream()
                .map(each -> each.getKey() + ' ' + each.getValue()).collect(Collectors.joining(", ")));
    }
}
