package dev.millrace.cql.compiler.flow;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.ClassMaker;
import dev.millrace.cql.compiler.pattern.PatternAnalysis;
import dev.millrace.cql.compiler.pattern.PatternChoice;
import dev.millrace.cql.plan.OrderingConstraint;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowProperties;
import dev.millrace.cql.runtime.flow.AggregateFactory;
import dev.millrace.cql.runtime.flow.Calc;
import dev.millrace.cql.runtime.flow.FlowBindings;
import dev.millrace.cql.runtime.flow.FlowOperator;
import dev.millrace.cql.runtime.flow.ReplayOperator;
import dev.millrace.cql.runtime.flow.RowLayout;
import dev.millrace.cql.runtime.flow.RowStore;
import dev.millrace.cql.runtime.pattern.BoxedAggregates;
import dev.millrace.cql.runtime.pattern.FixedPatternOperator;
import dev.millrace.cql.runtime.pattern.LocalPatternOperator;
import dev.millrace.cql.runtime.pattern.PatternKernel;
import dev.millrace.cql.runtime.pattern.PatternOperator;
import dev.millrace.cql.runtime.pattern.PatternProgram;
import dev.millrace.cql.runtime.pattern.PatternSetup;
import dev.millrace.cql.runtime.pattern.PatternTier;
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

    /** A compiled pattern; the index of what computes arguments is -1 without. */
    private record Compiled(PatternAnalysis analysis, PatternChoice choice, PatternKernel kernel, int arguments)
    {
    }

    private final Map<FlowNode, Compiled> compiled = new IdentityHashMap<>();
    private final List<FlowNode.Match> nodes = new ArrayList<>();
    private final RowLayouts layouts;
    private final OrderingConstraint ordering;
    private final StringBuilder javaText = new StringBuilder();

    FlowPatterns(final OrderingConstraint ordering, final FlowProperties properties, final CalcGenerator generator,
        final ClassMaker maker)
    {
        layouts = new RowLayouts(properties);
        this.ordering = ordering;
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
        final PatternGenerator kernel = new PatternGenerator(match.pattern(), analysis, match.input().rows());
        javaText.append(kernel.javaText());
        final int arguments = analysis.arguments().isEmpty() ? -1 :
            generator.add(analysis.arguments(), match.input().rows());
        return new Compiled(analysis, new PatternChoice(match, analysis.program()), kernel.make(maker), arguments);
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
            final PatternTier tier = PatternTier.of(program);
            final RowLayout layout = layouts.of(node.input());
            final int rowBytes = Long.BYTES * layout.words() + Integer.BYTES * (layout.references() + 1);
            final PatternProgram.Rules rules = program.rules();
            final String timers = rules.durationNs() > 0 ? ", timers for DURATION" :
                rules.withinNs() > 0 ? ", timers for WITHIN" : "";
            texts.add("pattern " + (texts.size() + 1) + " over " + String.join(", ", program.variables()) +
                ": class " + choice.kind().text() + ", " + choice.reason() + "; run by tier " + tier.ordinal() + ", " +
                tier.reason() + timers + "; a partition keeps " + tier.keptRows(program) + " row(s) of " + rowBytes +
                " bytes and about " + PARTITION_BYTES + " bytes, each partial match " +
                tier.matchSizeBytes(program) + " bytes and its rows" + waits(node, choice));
        });
        return texts;
    }

    /** What a match waits for when matches leave in the order of their times. */
    private String waits(final FlowNode.Match match, final PatternChoice choice)
    {
        return choice.openTail().isEmpty() || match.pattern().partitionBy().isEmpty() ||
            ordering == OrderingConstraint.PARTITION_ORDERED ? "" :
            "; matches of other partitions wait while a row for " + String.join(" or ", choice.openTail()) +
                " may come: PARTITION_ORDERED or WITHIN ends that";
    }

    /** Makes the operator of a node. */
    FlowOperator make(final FlowNode.Match match, final FlowOperator input, final Calc[] calcs, final RowStore result,
        final ReplayOperator target, final FlowBindings bindings)
    {
        final Compiled pattern = compiled.get(match);
        final RowLayout argumentLayout = pattern.arguments < 0 ? null : new RowLayout(pattern.analysis.arguments()
            .stream().map(field -> field.expression().type()).toArray(CqlType[]::new));
        final PatternSetup setup = new PatternSetup(pattern.analysis.program(), pattern.kernel,
            pattern.arguments < 0 ? null : calcs[pattern.arguments], argumentLayout,
            factories(pattern.analysis, bindings), PatternSetup.DEFAULT_MAX_RUNS,
            Math.min(MAX_PARTITION_ROWS, bindings.maxRows()), bindings.maxRows());
        return switch (PatternTier.of(setup.program()))
        {
            case FIXED -> new FixedPatternOperator(input, setup, result, target);
            case ROW_LOCAL -> new LocalPatternOperator(input, setup, result, target);
            case MATCH_DEPENDENT -> new PatternOperator(input, setup, result, target);
        };
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
