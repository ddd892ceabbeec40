package dev.millrace.cql.testkit;

import dev.millrace.api.cartridge.Cartridges;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.cql.compiler.CompiledPipeline;
import dev.millrace.cql.compiler.PipelineCompiler;
import dev.millrace.cql.compiler.flow.CompiledFlow;
import dev.millrace.cql.compiler.flow.FlowCompiler;
import dev.millrace.cql.compiler.unit.CompiledUnit;
import dev.millrace.cql.compiler.unit.DiscardSupport;
import dev.millrace.cql.language.Catalog;
import dev.millrace.cql.language.JavaClasses;
import dev.millrace.cql.language.problem.CqlException;
import dev.millrace.cql.language.problem.RuleText;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.ProcessorPlan;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.planner.RulePlanner;
import dev.millrace.cql.planner.ordering.PartitionStateAnalysis;
import dev.millrace.cql.planner.ordering.TwoPhasePlanner;
import dev.millrace.cql.testkit.interpreter.Interpreter;
import dev.millrace.cql.testkit.interpreter.syntax.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The planned and compiled rules of a case, from which every run creates its engines. Not thread-safe. */
public final class CompiledCase
{
    /** An input column of this name contains the times of the rows. */
    public static final String TIME_COLUMN = "rowtime";

    /** Number of engines that run a flow whose partitions can be separated. */
    static final int SPLIT_ENGINES = 3;

    /** How statements are planned. */
    public enum Mode
    {
        /** As a server plans them. */
        DEFAULT,
        /** Every statement as a flow. */
        FLOWS,
        /** Every statement as a flow that is partitioned by column k, and run by several engines. */
        SPLIT
    }

    /**
     * Options that are not part of a case and must not change the output.
     *
     * @param mode       how to plan
     * @param bound      whether numbers of the queries become placeholders with bindings
     * @param totalOrder whether the inputs are declared to be totally ordered, so that instants close at once
     */
    public record Variant(Mode mode, boolean bound, boolean totalOrder)
    {
    }

    /** The second step of a flow with two. */
    record Merging(TwoPhasePlanner steps, CompiledFlow compiled)
    {
    }

    private final List<Interpreter.Input> inputs;
    private final Map<String, EventType> types = new LinkedHashMap<>();
    private final ProcessorPlan plan;
    private final List<CompiledPipeline> pipelines = new ArrayList<>();
    private final List<CompiledFlow> flows = new ArrayList<>();
    private final Map<CompiledFlow, Merging> merging = new HashMap<>();
    private boolean isApart = true;

    /**
     * Plans and compiles rules.
     *
     * @param inputs  they may read
     * @param variant how to plan
     * @param shared  property of the partition key by id of each channel that is partitioned across members
     * @throws CqlException when they are refused
     */
    CompiledCase(final List<Interpreter.Input> inputs, final List<Interpreter.Rule> rules,
        final Variant variant, final Map<String, String> shared) throws CqlException
    {
        this.inputs = List.copyOf(inputs);
        plan = planner(variant).plan("case", ruleTexts(rules, variant), catalog(variant));
        final PipelineCompiler pipelineCompiler = new PipelineCompiler(RecentClasses.SHARED);
        plan.pipelines().forEach(pipeline -> pipelines.add(pipelineCompiler.compile(pipeline)));
        final FlowCompiler flowCompiler = new FlowCompiler(RecentClasses.SHARED);
        for (final FlowPlan flow : plan.flows())
        {
            compile(flow, flowCompiler, shared);
        }
    }

    private static RulePlanner planner(final Variant variant)
    {
        return variant.mode() == Mode.DEFAULT ? new RulePlanner() : new RulePlanner().flowsOnly();
    }

    private Catalog catalog(final Variant variant)
    {
        final ClassLoader loader = Thread.currentThread().getContextClassLoader();
        final Catalog.Builder catalog = Catalog.builder().classes(JavaClasses.of(loader))
            .cartridges(Cartridges.installed(loader));
        for (final Interpreter.Input input : inputs)
        {
            final EventType type = type(input);
            types.put(input.name(), type);
            catalog.add(new Catalog.ChannelSource(input.name(), type, input.relation(), variant.totalOrder()
                ? FlowNode.TimeKind.APPLICATION_TOTAL_ORDER : FlowNode.TimeKind.APPLICATION, false, input.key(),
                input.columns().contains(TIME_COLUMN) ? TIME_COLUMN : null));
        }
        return catalog.build();
    }

    private static EventType type(final Interpreter.Input input)
    {
        final EventProperty[] properties = new EventProperty[input.columns().size()];
        for (int i = 0; i < properties.length; i++)
        {
            properties[i] = new EventProperty(input.columns().get(i), CqlType.valueOf(input.types().get(i).name()));
        }
        return EventType.tuple(input.name(), properties);
    }

    private static List<RuleText> ruleTexts(final List<Interpreter.Rule> rules, final Variant variant)
    {
        final boolean split = variant.mode() == Mode.SPLIT;
        final List<RuleText> ruleTexts = new ArrayList<>();
        for (final Interpreter.Rule rule : rules)
        {
            final RuleText text = new RuleText(rule.id(), rule.view(), rule.text(), rule.schema(),
                split ? "PARTITION_ORDERED" : null, split ? "k" : null);
            ruleTexts.add(variant.bound() && !rule.view() ? LiteralParameterizer.of(text) : text);
        }
        return ruleTexts;
    }

    private void compile(final FlowPlan flow, final FlowCompiler compiler, final Map<String, String> shared)
        throws CqlException
    {
        final PartitionStateAnalysis state = new PartitionStateAnalysis(flow, shared);
        isApart &= state.problems().isEmpty();
        final TwoPhasePlanner steps = TwoPhasePlanner.of(flow);
        final CompiledFlow compiled = compiler.compile(steps == null ? flow : steps.apart(),
            new DiscardSupport(state.columns(), false));
        flows.add(compiled);
        if (steps != null)
        {
            merging.put(compiled, new Merging(steps, compiler.compile(steps.merging(SPLIT_ENGINES))));
        }
    }

    /** Whether an input is a relation. */
    boolean isRelation(final String input)
    {
        return inputs.stream().anyMatch(i -> i.name().equals(input) && i.relation());
    }

    /** Event types by name of the input. */
    Map<String, EventType> types()
    {
        return types;
    }

    List<CompiledPipeline> pipelines()
    {
        return pipelines;
    }

    List<CompiledFlow> flows()
    {
        return flows;
    }

    /** The second step of a flow; {@code null} when it has one step. */
    Merging merging(final CompiledFlow flow)
    {
        return merging.get(flow);
    }

    /** Whether all state is separated by partition; otherwise partitions cannot be discarded. */
    boolean isApart()
    {
        return isApart;
    }

    ProcessorPlan plan()
    {
        return plan;
    }

    /** The units of all flows. */
    List<CompiledUnit> units()
    {
        return flows.stream().flatMap(flow -> flow.units().stream()).toList();
    }

    /** Number of queries that run as units. */
    int queriesInUnits()
    {
        // Inputs of patterns are also outputs of units.
        return (int)flows.stream().flatMap(flow -> flow.units().stream().flatMap(unit -> unit.outputs().stream())
            .filter(output -> flow.plan().outputs().stream()
                .anyMatch(query -> query.queryId().equals(output.queryId())))).count();
    }

    /** Whether queries are streams: true by query id, false for relations. */
    Map<String, Boolean> streams()
    {
        final Map<String, Boolean> streams = new HashMap<>();
        plan.flows().forEach(flow -> flow.outputs().forEach(output ->
            streams.put(LiteralParameterizer.idOf(output.queryId()), output.stream())));
        plan.pipelines().forEach(pipeline -> pipeline.outputs().forEach(output ->
            streams.put(LiteralParameterizer.idOf(output.queryId()), output.kind() == Operator.OutputKind.STREAM)));
        return streams;
    }

    /**
     * Types of the columns of a query.
     *
     * @param query its id
     * @return char for types that the interpreter does not have
     */
    List<Type> types(final String query)
    {
        return Stream.concat(
                plan.flows().stream().flatMap(flow -> flow.outputs().stream())
                    .filter(output -> LiteralParameterizer.idOf(output.queryId()).equals(query))
                    .map(FlowPlan.Output::type),
                plan.pipelines().stream().flatMap(pipeline -> pipeline.outputs().stream())
                    .filter(output -> LiteralParameterizer.idOf(output.queryId()).equals(query))
                    .map(Operator.Output::type))
            .findFirst().map(type -> type.properties().stream().map(CompiledCase::type).toList()).orElse(List.of());
    }

    private static Type type(final EventProperty property)
    {
        return property.type() == CqlType.OBJECT ? Type.CHAR : Type.of(property.type().name());
    }
}
