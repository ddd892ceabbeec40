package dev.millrace.cql.compiler.flow;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.janino.ClassCompiler;
import dev.millrace.cql.compiler.pattern.FixedLengthPattern;
import dev.millrace.cql.compiler.pattern.PatternAnalysis;
import dev.millrace.cql.compiler.pattern.PatternStrategySelector;
import dev.millrace.cql.compiler.pattern.attempt.AttemptGenerator;
import dev.millrace.cql.compiler.pattern.attempt.CompiledAttempts;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.OrderingConstraint;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.plan.flow.FlowProperties;
import dev.millrace.cql.runtime.flow.FlowBindings;
import dev.millrace.cql.runtime.flow.FlowUnit;
import dev.millrace.cql.runtime.flow.QueryOutput;
import dev.millrace.cql.runtime.function.GroupAggregateFactory;
import dev.millrace.cql.runtime.pattern.BoxedAggregates;
import dev.millrace.cql.runtime.pattern.PatternProgram;
import dev.millrace.cql.runtime.pattern.attempt.AttemptUnit;
import dev.millrace.cql.runtime.pattern.attempt.MatchRows;
import dev.millrace.cql.runtime.pattern.attempt.RowAggregates;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** The compiled patterns of a flow, by their nodes. Immutable after construction. */
final class FlowPatterns
{
    /** A compiled pattern. */
    private record Compiled(PatternProgram program, PatternStrategySelector choice, CompiledAttempts attempts)
    {
    }

    private final Map<FlowNode, Compiled> compiled = new IdentityHashMap<>();
    private final List<FlowNode.Match> nodes = new ArrayList<>();
    private final FlowPlan plan;
    private final StringBuilder javaText = new StringBuilder();

    /** Compiles all patterns of a flow. */
    FlowPatterns(final FlowPlan plan, final FlowProperties properties, final ClassCompiler maker)
    {
        this.plan = plan;
        for (final FlowNode node : properties.nodes())
        {
            if (node instanceof FlowNode.Match match)
            {
                compiled.put(match, compile(match, maker));
                nodes.add(match);
            }
        }
    }

    private Compiled compile(final FlowNode.Match match, final ClassCompiler maker)
    {
        final FlowNode.Match written = FixedLengthPattern.rewritten(match);
        final PatternProgram program = new PatternAnalysis(written.pattern()).program();
        final PatternStrategySelector choice = new PatternStrategySelector(written, program);
        // With ALL MATCHES, the last row decides a match, so that no match waits for another in the order of times.
        final CompiledAttempts made = new AttemptGenerator(written, program, choice,
            match.pattern().allMatches() || isTimeOrdered(match)).make(maker);
        javaText.append(made.javaText());
        return new Compiled(program, choice, made);
    }

    /** The generated source text, for diagnosis. */
    String javaText()
    {
        return javaText.toString();
    }

    /** How each pattern runs and what state it stores, a line per pattern, for diagnosis. */
    List<String> texts()
    {
        final List<String> texts = new ArrayList<>();
        nodes.forEach(node ->
        {
            final PatternProgram program = compiled.get(node).program;
            final PatternStrategySelector choice = compiled.get(node).choice;
            texts.add("pattern " + (texts.size() + 1) + " over " + String.join(", ", program.variables()) +
                ": class " + choice.kind().text() + ", " + choice.reason() +
                compiled.get(node).attempts.state() + waits(node, choice));
        });
        return texts;
    }

    /** Describes why a match may wait when the output is ordered by time. */
    private String waits(final FlowNode.Match match, final PatternStrategySelector choice)
    {
        return choice.openTail().isEmpty() || match.pattern().partitionBy().isEmpty() ||
            plan.ordering() == OrderingConstraint.PARTITION_ORDERED ? "" :
            "; matches of other partitions wait while a row for " + String.join(" or ", choice.openTail()) +
                " may come: PARTITION_ORDERED or WITHIN ends that";
    }

    /** The channel whose batches a pattern reads directly; {@code null} when there are operators before it. */
    static FlowNode.Source channel(final FlowNode.Match match)
    {
        final FlowNode input =
            match.input() instanceof FlowNode.Timed timed ? timed.input() : match.input();
        return input instanceof FlowNode.Source source && !source.relation() ? source : null;
    }

    /**
     * Creates the unit of a pattern.
     *
     * @param output          receives the rows
     * @param partitionColumn input column by which rows are partitioned; -1 when partitions are never discarded
     */
    FlowUnit make(final FlowNode.Match match, final QueryOutput output, final int partitionColumn,
        final FlowBindings bindings)
    {
        return new AttemptUnit(compiled.get(match).attempts::instantiate,
            new MatchRows(match.rows().types().toArray(new CqlType[0]),
                compiled.get(match).choice.layout().codesOfMeasures(), bindings.maxRows(), bindings.memory()), output,
            new AttemptUnit.Limits(bindings.maxAttempts(), bindings.maxRows(), bindings.idleStateNs()),
            aggregates(match, bindings), partitionColumn);
    }

    /**
     * When partitions are ordered, matches are sorted by time only if a value has several partitions of the pattern, or
     * a downstream operator depends on time.
     */
    boolean isTimeOrdered(final FlowNode.Match match)
    {
        final boolean isApart = plan.ordering() == OrderingConstraint.PARTITION_ORDERED &&
            match.pattern().partitionBy().size() == 1 &&
            plan.routes().stream().allMatch(route ->
                route.value() == null || route.value() instanceof Expression.Column);
        return !isApart || plan.outputs().stream()
            .flatMap(output -> FlowNode.upstream(output.input()).stream())
            .anyMatch(node -> !(node instanceof FlowNode.Calc) &&
                node.inputs().stream().anyMatch(input -> isCalcOver(input, match)));
    }

    private static boolean isCalcOver(final FlowNode node, final FlowNode.Match match)
    {
        return node == match || node instanceof FlowNode.Calc && isCalcOver(node.inputs().get(0), match);
    }

    private RowAggregates.Aggregate[] aggregates(final FlowNode.Match match, final FlowBindings bindings)
    {
        return compiled.get(match).choice.layout().functions().stream().map(each ->
        {
            final GroupAggregateFactory builtIn = each.arguments().size() != 1 ? null :
                BoxedAggregates.factory(each.function(), each.arguments().get(0).type(), each.type());
            return new RowAggregates.Aggregate(builtIn != null ? builtIn :
                FlowBindings.bound(bindings.aggregates(), each.function(), "aggregate"), each.function(),
                each.variables(), each.arguments().size(), each.distinct());
        }).toArray(RowAggregates.Aggregate[]::new);
    }
}
