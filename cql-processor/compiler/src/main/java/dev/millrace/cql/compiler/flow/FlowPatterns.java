package dev.millrace.cql.compiler.flow;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.ClassMaker;
import dev.millrace.cql.compiler.pattern.PatternAnalysis;
import dev.millrace.cql.compiler.pattern.PatternChoice;
import dev.millrace.cql.plan.Expression;
import dev.millrace.cql.plan.OrderingConstraint;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.plan.flow.FlowProperties;
import dev.millrace.cql.runtime.flow.AggregateFactory;
import dev.millrace.cql.runtime.flow.Calc;
import dev.millrace.cql.runtime.flow.FlowBindings;
import dev.millrace.cql.runtime.flow.FlowOperator;
import dev.millrace.cql.runtime.flow.FlowUnit;
import dev.millrace.cql.runtime.flow.ReplayOperator;
import dev.millrace.cql.runtime.flow.RowLayout;
import dev.millrace.cql.runtime.flow.RowStore;
import dev.millrace.cql.runtime.pattern.BoxedAggregates;
import dev.millrace.cql.runtime.pattern.PatternKernel;
import dev.millrace.cql.runtime.pattern.PatternOperator;
import dev.millrace.cql.runtime.pattern.PatternProgram;
import dev.millrace.cql.runtime.pattern.PatternSetup;
import dev.millrace.cql.runtime.pattern.attempt.AttemptOperator;
import dev.millrace.cql.runtime.pattern.attempt.AttemptUnit;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** The compiled patterns of a flow, by their nodes. Immutable after it is made. */
final class FlowPatterns
{
    private static final int MAX_PARTITION_ROWS = 1 << 20;
    /** Of the table that finds a partition: its row, its hash, its place. */
    private static final int PARTITION_BYTES = 16;

    /**
     * A compiled pattern: what makes it when its attempts are records, else its kernel and the index of what computes
     * arguments, -1 without.
     */
    private record Compiled(PatternAnalysis analysis, PatternChoice choice,
        CompiledAttempts attempts, PatternKernel kernel, int arguments)
    {
    }

    private final Map<FlowNode, Compiled> compiled = new IdentityHashMap<>();
    private final List<FlowNode.Match> nodes = new ArrayList<>();
    private final RowLayouts layouts;
    private final FlowPlan plan;
    private final boolean canForget;
    private final StringBuilder javaText = new StringBuilder();

    /**
     * Compiles all patterns of a flow.
     *
     * @param canForget whether its engines must be able to forget partitions, which units are not
     */
    FlowPatterns(final FlowPlan plan, final boolean canForget, final FlowProperties properties,
        final CalcGenerator generator, final ClassMaker maker)
    {
        this.canForget = canForget;
        layouts = new RowLayouts(properties);
        this.plan = plan;
        for (final FlowNode node : properties.nodes())
        {
            if (node instanceof FlowNode.Match match)
            {
                compiled.put(match, compile(match, generator, maker));
                nodes.add(match);
            }
        }
    }

    private Compiled compile(final FlowNode.Match match, final CalcGenerator generator, final ClassMaker maker)
    {
        final PatternAnalysis analysis = new PatternAnalysis(match.pattern());
        final PatternChoice choice = new PatternChoice(match, analysis.program());
        if (choice.hasRecords())
        {
            // With ALL MATCHES a match is decided with its last row: the order of times lets none wait for another.
            final AttemptGenerator attempts = new AttemptGenerator(match, analysis.program(), choice,
                match.pattern().allMatches() || isTimeOrdered(match));
            final CompiledAttempts made = attempts.make(maker);
            javaText.append(made.javaText());
            return new Compiled(analysis, choice, made, null, -1);
        }
        final PatternGenerator kernel = new PatternGenerator(match.pattern(), analysis, match.input().rows());
        javaText.append(kernel.javaText());
        final int arguments = analysis.arguments().isEmpty() ? -1 :
            generator.add(analysis.arguments(), match.input().rows());
        return new Compiled(analysis, choice, null, kernel.make(maker), arguments);
    }

    /** The generated classes, for people. */
    String javaText()
    {
        return javaText.toString();
    }

    /** How each pattern runs and what state it keeps, a line a pattern, for people. */
    List<String> texts()
    {
        final List<String> texts = new ArrayList<>();
        nodes.forEach(node ->
        {
            final PatternProgram program = compiled.get(node).analysis.program();
            final PatternChoice choice = compiled.get(node).choice;
            texts.add("pattern " + (texts.size() + 1) + " over " + String.join(", ", program.variables()) +
                ": class " + choice.kind().text() + ", " + choice.reason() +
                (choice.hasRecords() ? compiled.get(node).attempts.state() : state(node, program)) +
                waits(node, choice));
        });
        return texts;
    }

    /** What a pattern keeps whose attempts are not records. */
    private String state(final FlowNode.Match match, final PatternProgram program)
    {
        final RowLayout layout = layouts.of(match.input());
        final int rowBytes = Long.BYTES * layout.words() + Integer.BYTES * (layout.references() + 1);
        final PatternProgram.Rules rules = program.rules();
        final String timers = rules.durationNs() > 0 ? ", timers for DURATION" :
            rules.withinNs() > 0 ? ", timers for WITHIN" : "";
        return timers + "; a partition keeps " + PatternOperator.keptRows(program) + " row(s) of " + rowBytes +
            " bytes and about " + PARTITION_BYTES + " bytes, each partial match " +
            PatternOperator.matchSizeBytes(program) + " bytes and its rows";
    }

    /** What a match waits for when matches leave in the order of their times. */
    private String waits(final FlowNode.Match match, final PatternChoice choice)
    {
        return choice.openTail().isEmpty() || match.pattern().partitionBy().isEmpty() ||
            plan.ordering() == OrderingConstraint.PARTITION_ORDERED ? "" :
            "; matches of other partitions wait while a row for " + String.join(" or ", choice.openTail()) +
                " may come: PARTITION_ORDERED or WITHIN ends that";
    }

    /** The channel whose batches a pattern takes as they are; {@code null} where something is before it. */
    FlowNode.Source channel(final FlowNode.Match match)
    {
        final FlowNode input =
            match.input() instanceof FlowNode.Timed timed ? timed.input() : match.input();
        return canForget || compiled.get(match).attempts == null ? null :
            input instanceof FlowNode.Source source && !source.relation() ? source : null;
    }

    /** Makes what takes the batches of a channel, for a node that has one. */
    FlowUnit makeUnit(final FlowNode.Match match, final RowStore result, final ReplayOperator target,
        final FlowBindings bindings)
    {
        return new AttemptUnit(new RowLayout(match.input().rows().types().toArray(new CqlType[0])),
            compiled.get(match).attempts::instantiate, result, target, bindings.maxAttempts(),
            bindings.maxRows(), bindings.idleStateNs());
    }

    /** Makes the operator of a node. */
    FlowOperator make(final FlowNode.Match match, final FlowOperator input, final Calc[] calcs, final RowStore result,
        final ReplayOperator target, final FlowBindings bindings)
    {
        final Compiled pattern = compiled.get(match);
        if (pattern.attempts != null)
        {
            return new AttemptOperator(input, pattern.attempts::instantiate, result, target,
                bindings.maxAttempts(), bindings.maxRows(), bindings.idleStateNs());
        }
        final RowLayout argumentLayout = pattern.arguments < 0 ? null : new RowLayout(pattern.analysis.arguments()
            .stream().map(field -> field.expression().type()).toArray(CqlType[]::new));
        final PatternSetup setup = new PatternSetup(pattern.analysis.program(), pattern.kernel,
            pattern.arguments < 0 ? null : calcs[pattern.arguments], argumentLayout,
            factories(pattern.analysis, bindings), bindings.maxAttempts(),
            Math.min(MAX_PARTITION_ROWS, bindings.maxRows()), bindings.maxRows(), bindings.idleStateNs());
        return new PatternOperator(input, setup, result, target);
    }

    /**
     * With the order of partitions matches are only sorted by time where a value has several partitions of the pattern,
     * or something behind them goes by time.
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

    private static AggregateFactory[] factories(final PatternAnalysis analysis, final FlowBindings bindings)
    {
        final PatternProgram.Aggregate[] aggregates = analysis.program().aggregates();
        final AggregateFactory[] factories = new AggregateFactory[aggregates.length];
        for (int i = 0; i < factories.length; i++)
        {
            if (aggregates[i].kind() == PatternProgram.AggregateKind.FUNCTION)
            {
                final List<CqlType> types = analysis.argumentTypes(i);
                final AggregateFactory builtIn = types.size() == 1 ?
                    BoxedAggregates.factory(aggregates[i].function(), types.get(0), aggregates[i].type()) : null;
                factories[i] = builtIn != null ? builtIn :
                    FlowBindings.bound(bindings.aggregates(), aggregates[i].function(), "aggregate");
            }
        }
        return factories;
    }
}
