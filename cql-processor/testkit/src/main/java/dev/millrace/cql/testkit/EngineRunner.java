package dev.millrace.cql.testkit;

import dev.millrace.api.cartridge.Cartridges;
import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.string.StringTable;
import dev.millrace.cql.compiler.CompiledPipeline;
import dev.millrace.cql.compiler.PipelineCompiler;
import dev.millrace.cql.compiler.flow.CompiledFlow;
import dev.millrace.cql.compiler.flow.FlowCompiler;
import dev.millrace.cql.compiler.unit.CompiledUnit;
import dev.millrace.cql.compiler.unit.DiscardSupport;
import dev.millrace.cql.functions.Aggregates;
import dev.millrace.cql.language.Catalog;
import dev.millrace.cql.language.JavaClasses;
import dev.millrace.cql.language.problem.CqlException;
import dev.millrace.cql.language.problem.RuleText;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.PipelinePlan;
import dev.millrace.cql.plan.ProcessorPlan;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.planner.RulePlanner;
import dev.millrace.cql.planner.ordering.PartitionStateAnalysis;
import dev.millrace.cql.planner.ordering.TwoPhasePlanner;
import dev.millrace.cql.runtime.Pipeline;
import dev.millrace.cql.runtime.PipelineBindings;
import dev.millrace.cql.runtime.RejectionHandler;
import dev.millrace.cql.runtime.flow.FlowBindings;
import dev.millrace.cql.runtime.flow.FlowEngine;
import dev.millrace.cql.runtime.index.IndexedQuery;
import dev.millrace.cql.runtime.index.RowFilter;
import dev.millrace.cql.runtime.index.StatementIndex;
import dev.millrace.cql.runtime.pattern.attempt.AttemptPattern;
import dev.millrace.cql.runtime.state.PartitionPredicate;
import dev.millrace.cql.runtime.state.PartitionSelection;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import dev.millrace.cql.testkit.interpreter.Interpreter;
import dev.millrace.cql.testkit.interpreter.syntax.Type;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Runs cases on the engine, in application time. The rules are planned and compiled once; every run has its own
 * engines. Not thread-safe.
 */
public final class EngineRunner
{
    /** An input column of this name contains the times of the rows. */
    public static final String TIME_COLUMN = "rowtime";

    private static final int SPLIT_ENGINES = 3;
    private static final int RESTING_CODES = 64;
    private static final Set<String> LIMITS = Set.of(RejectionHandler.STATE_FULL, AttemptPattern.TOO_MANY_RUNS);

    private final List<Interpreter.Input> inputs;
    private final Map<String, EventType> types = new LinkedHashMap<>();
    private final ProcessorPlan plan;
    private final UniqueKeyCheck uniqueRows;
    private final List<CompiledPipeline> pipelines = new ArrayList<>();
    private final List<CompiledFlow> flows = new ArrayList<>();
    private final Map<CompiledFlow, Merging> merging = new HashMap<>();
    private boolean isApart = true;
    private Map<String, List<List<CaseRow>>> lastParts = Map.of();
    private final Set<String> unwritten = new TreeSet<>();

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

    /**
     * Plans and compiles the rules of a case.
     *
     * @param mode how to plan
     * @throws CqlException when they are refused
     */
    public EngineRunner(final CaseFile file, final Mode mode) throws CqlException
    {
        this(file.inputs(), file.rules(), mode);
    }

    /**
     * Plans and compiles the rules of a case.
     *
     * @param variant how to plan
     * @throws CqlException when they are refused
     */
    public EngineRunner(final CaseFile file, final Variant variant) throws CqlException
    {
        this(file.inputs(), file.rules(), variant);
    }

    /**
     * Plans and compiles rules.
     *
     * @param inputs they may read
     * @param mode   how to plan
     * @throws CqlException when they are refused
     */
    public EngineRunner(final List<Interpreter.Input> inputs, final List<Interpreter.Rule> rules, final Mode mode)
        throws CqlException
    {
        this(inputs, rules, new Variant(mode, false, false));
    }

    /**
     * Plans and compiles rules.
     *
     * @param inputs  they may read
     * @param variant how to plan
     * @throws CqlException when they are refused
     */
    public EngineRunner(
        final List<Interpreter.Input> inputs, final List<Interpreter.Rule> rules, final Variant variant)
        throws CqlException
    {
        this(inputs, rules, variant, Map.of());
    }

    /**
     * Plans and compiles rules over channels that are partitioned across members.
     *
     * @param inputs  they may read
     * @param variant how to plan; only flows can discard partitions
     * @param shared  property of the partition key by id of the partitioned channel
     * @throws CqlException when they are refused
     */
    public EngineRunner(final List<Interpreter.Input> inputs, final List<Interpreter.Rule> rules,
        final Variant variant, final Map<String, String> shared) throws CqlException
    {
        this.inputs = List.copyOf(inputs);
        final Catalog.Builder catalog = Catalog.builder()
            .classes(JavaClasses.of(Thread.currentThread().getContextClassLoader()))
            .cartridges(Cartridges.installed(Thread.currentThread().getContextClassLoader()));
        for (final Interpreter.Input input : inputs)
        {
            final EventProperty[] properties = new EventProperty[input.columns().size()];
            for (int i = 0; i < properties.length; i++)
            {
                properties[i] = new EventProperty(input.columns().get(i), CqlType.valueOf(input.types().get(i).name()));
            }
            final EventType type = EventType.tuple(input.name(), properties);
            types.put(input.name(), type);
            catalog.add(new Catalog.ChannelSource(input.name(), type, input.relation(), variant.totalOrder()
                ? FlowNode.TimeKind.APPLICATION_TOTAL_ORDER : FlowNode.TimeKind.APPLICATION, false, input.key(),
                input.columns().contains(TIME_COLUMN) ? TIME_COLUMN : null));
        }
        final List<RuleText> texts = new ArrayList<>();
        for (final Interpreter.Rule rule : rules)
        {
            final boolean split = variant.mode() == Mode.SPLIT;
            final RuleText text = new RuleText(rule.id(), rule.view(), rule.text(), rule.schema(),
                split ? "PARTITION_ORDERED" : null, split ? "k" : null);
            texts.add(variant.bound() && !rule.view() ? LiteralParameterizer.of(text) : text);
        }
        final RulePlanner planner =
            variant.mode() == Mode.DEFAULT ? new RulePlanner() : new RulePlanner().flowsOnly();
        plan = planner.plan("case", texts, catalog.build());
        uniqueRows = new UniqueKeyCheck(plan);
        final PipelineCompiler pipelineCompiler = new PipelineCompiler(RecentClasses.SHARED);
        plan.pipelines().forEach(pipeline -> pipelines.add(pipelineCompiler.compile(pipeline)));
        final FlowCompiler flowCompiler = new FlowCompiler(RecentClasses.SHARED);
        for (final FlowPlan flow : plan.flows())
        {
            final PartitionStateAnalysis state = new PartitionStateAnalysis(flow, shared);
            isApart &= state.problems().isEmpty();
            final TwoPhasePlanner steps = TwoPhasePlanner.of(flow);
            flows.add(flowCompiler.compile(steps == null ? flow : steps.apart(),
                new DiscardSupport(state.columns(), false)));
            if (steps != null)
            {
                merging.put(flows.get(flows.size() - 1), new Merging(
                    steps, flowCompiler.compile(steps.merging(SPLIT_ENGINES))));
            }
        }
    }

    /** The second step of a flow. */
    private record Merging(TwoPhasePlanner steps, CompiledFlow compiled)
    {
    }

    /** Whether all state is separated by partition; otherwise partitions cannot be discarded. */
    public boolean isApart()
    {
        return isApart;
    }

    /** Partitions to discard before an arrival. */
    record Forgetting(String input, PartitionPredicate partitions)
    {
    }

    /**
     * Runs over arrivals, and discards partitions in between.
     *
     * @param batchSize   maximum rows per batch
     * @param forgettings by the number of the arrival that follows
     * @return output up to the end of the input
     */
    Reference.Outcome run(final List<Interpreter.Arrival> arrivals, final int batchSize,
        final Map<Integer, Forgetting> forgettings)
    {
        final Running running = new Running();
        running.forgettings.putAll(forgettings);
        return running.run(arrivals, batchSize);
    }

    /**
     * Runs over arrivals, and in between continues with engines that have restored the state of the previous ones.
     *
     * @param batchSize maximum rows per batch
     * @param restarts  numbers of the arrivals that follow a restart
     * @return output up to the end of the input
     */
    Reference.Outcome run(final List<Interpreter.Arrival> arrivals, final int batchSize, final Set<Integer> restarts)
    {
        return run(arrivals, batchSize, restarts, true);
    }

    /**
     * Runs over arrivals, and in between continues with engines that have restored the state of the previous ones.
     *
     * @param batchSize maximum rows per batch
     * @param restarts  numbers of the arrivals that follow a restart
     * @param all       false when engines continue whose state cannot be written
     * @return output up to the end of the input
     */
    Reference.Outcome run(final List<Interpreter.Arrival> arrivals, final int batchSize, final Set<Integer> restarts,
        final boolean all)
    {
        final Running running = new Running();
        lastParts = running.parts;
        running.restarts.addAll(restarts);
        running.restartsAll = all;
        return running.run(arrivals, batchSize);
    }

    /**
     * Runs over arrivals, one row per batch; some partitions move to a separate engine during the run.
     *
     * @param before     number of the arrival before which they move
     * @param partitions to move, by the first column of all inputs
     * @return output up to the end of the input, by time
     */
    Reference.Outcome run(final List<Interpreter.Arrival> arrivals, final int before,
        final PartitionPredicate partitions)
    {
        final Running running = new Running();
        running.movesBefore = before;
        running.moved = partitions;
        final Reference.Outcome outcome = running.run(arrivals, 1);
        outcome.rows().values().forEach(rows -> rows.sort(Comparator.comparingLong(CaseRow::timeNs)));
        return outcome;
    }

    public ProcessorPlan plan()
    {
        return plan;
    }

    /** Reasons why the state of engines could not be written so far. */
    Set<String> unwritten()
    {
        return unwritten;
    }

    /** The units of all flows. */
    List<CompiledUnit> units()
    {
        return flows.stream().flatMap(flow -> flow.units().stream()).toList();
    }

    /** Number of queries that run as units. */
    public int queriesInUnits()
    {
        // Inputs of patterns are also outputs of units.
        return (int)flows.stream().flatMap(flow -> flow.units().stream().flatMap(unit -> unit.outputs().stream())
            .filter(output -> flow.plan().outputs().stream()
                .anyMatch(query -> query.queryId().equals(output.queryId())))).count();
    }

    /** Whether queries are streams: true by query id, false for relations. */
    public Map<String, Boolean> streams()
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
    public List<Type> types(final String query)
    {
        return Stream.concat(
                plan.flows().stream().flatMap(flow -> flow.outputs().stream())
                    .filter(output -> LiteralParameterizer.idOf(output.queryId()).equals(query))
                    .map(FlowPlan.Output::type),
                plan.pipelines().stream().flatMap(pipeline -> pipeline.outputs().stream())
                    .filter(output -> LiteralParameterizer.idOf(output.queryId()).equals(query))
                    .map(Operator.Output::type))
            .findFirst().map(type -> type.properties().stream().map(EngineRunner::type).toList()).orElse(List.of());
    }

    private static Type type(final EventProperty property)
    {
        return property.type() == CqlType.OBJECT ? Type.CHAR : Type.of(property.type().name());
    }

    /**
     * Runs over arrivals, one row per batch.
     *
     * @return output up to the end of the input
     */
    public Reference.Outcome run(final List<Interpreter.Arrival> arrivals)
    {
        return run(arrivals, 1);
    }

    /**
     * Runs over arrivals.
     *
     * @param batchSize maximum rows per batch; only consecutive rows of one source share a batch
     * @return output up to the end of the input
     */
    public Reference.Outcome run(final List<Interpreter.Arrival> arrivals, final int batchSize)
    {
        final Running running = new Running();
        lastParts = running.parts;
        return running.run(arrivals, batchSize);
    }

    /** Output of each engine in the last run: a list per engine, by query id. */
    Map<String, List<List<CaseRow>>> lastParts()
    {
        return lastParts;
    }

    /** A pipeline downstream of an index. */
    private static final class Filtered implements IndexedQuery
    {
        private final CompiledPipeline compiled;
        private final Supplier<PipelineBindings> bindings;
        private Pipeline pipeline;

        Filtered(final CompiledPipeline compiled, final Supplier<PipelineBindings> bindings)
        {
            this.compiled = compiled;
            this.bindings = bindings;
            pipeline = compiled.instantiate(bindings.get());
        }

        /** Continues with a new pipeline that has restored the state of the previous one. */
        void restart()
        {
            final StateOutput to = new StateOutput(FlowRun.MOST_STATE_BYTES);
            pipeline.write(to, PartitionSelection.ALL);
            pipeline = compiled.instantiate(bindings.get());
            final StateInput from = new StateInput(to.toBytes());
            pipeline.read(from);
            from.end();
        }

        @Override
        public RowFilter filter()
        {
            return compiled.filter();
        }

        @Override
        public void onBatch(final EventBatch batch)
        {
            pipeline.onBatch(batch);
        }

        @Override
        public void onRows(final EventBatch batch, final int[] rows, final int count)
        {
            pipeline.onRows(batch, rows, count);
        }
    }

    /** Engines with their state and their output. */
    private final class Running
    {
        private final Map<String, List<CaseRow>> rows = new LinkedHashMap<>();
        private final Map<String, List<Filtered>> pipelinesOf = new HashMap<>();
        private final Map<String, StatementIndex> indexes = new HashMap<>();
        private final List<FlowRun> engines = new ArrayList<>();
        private final Map<String, List<List<CaseRow>>> parts = new HashMap<>();
        private final Map<Integer, Forgetting> forgettings = new HashMap<>();
        private final Set<Integer> restarts = new HashSet<>();
        private boolean restartsAll;
        private int movesBefore = -1;
        private PartitionPredicate moved;
        private long rejected;
        private String limit;

        Running()
        {
            for (final CompiledPipeline compiled : pipelines)
            {
                final PipelinePlan of = compiled.plan();
                final Map<String, BatchSchema> schemas = new HashMap<>();
                final Map<String, EventBatchSink> sinks = new HashMap<>();
                of.outputs().forEach(output -> open(output.queryId(), output.type(), schemas, sinks));
                pipelinesOf.computeIfAbsent(of.sourceChannel(), channel -> new ArrayList<>())
                    .add(new Filtered(compiled, () -> new PipelineBindings(new BatchSchema(of.sourceType()), schemas,
                        sinks, Map.of(), this::reject, MemoryAccount.NONE,
                        StringTable.withDelayedReuse(StringTable.Lifetime.HELD, 1 << 20, RESTING_CODES))));
            }
            pipelinesOf.forEach((name, all) -> indexes.put(name, new StatementIndex(all)));
            flows.forEach(compiled -> engines.add(start(compiled)));
        }

        private FlowRun start(final CompiledFlow compiled)
        {
            final Merging second = merging.get(compiled);
            if (second == null)
            {
                return new FlowRun(compiled, SPLIT_ENGINES, source -> new BatchSchema(source.type()),
                    index -> bindings(compiled, Map.of(), Map.of()), null);
            }
            final Map<String, BatchSchema> schemas = new HashMap<>();
            second.steps().types().forEach(type -> schemas.put(type.name(), new BatchSchema(type)));
            final FlowEngine last = second.compiled().instantiate(bindings(second.compiled(), Map.of(), Map.of()));
            return new FlowRun(compiled, SPLIT_ENGINES, source -> new BatchSchema(source.type()), index ->
            {
                final Map<String, EventBatchSink> parts = new HashMap<>();
                for (int part = 0; part < second.steps().types().size(); part++)
                {
                    final int source = part * SPLIT_ENGINES + index;
                    parts.put(second.steps().types().get(part).name(), batch -> last.onBatch(source, batch));
                }
                return bindings(compiled, schemas, parts);
            }, last);
        }

        private FlowBindings bindings(final CompiledFlow compiled, final Map<String, BatchSchema> partSchemas,
            final Map<String, EventBatchSink> parts)
        {
            final Map<String, BatchSchema> schemas = new HashMap<>(partSchemas);
            final Map<String, EventBatchSink> sinks = new HashMap<>(parts);
            for (final FlowPlan.Output output : compiled.plan().outputs())
            {
                if (!parts.containsKey(output.queryId()))
                {
                    open(output.queryId(), output.type(), schemas, sinks);
                }
            }
            // String codes are released at the end of each batch and reused late: state that has not retained one
            // fails.
            return new FlowBindings(schemas, sinks, XmlSources.of(compiled.plan()), Aggregates.factories(), Map.of(),
                this::reject, 1 << 20, MemoryAccount.NONE, 0, FlowBindings.DEFAULT_MAX_ATTEMPTS,
                () -> StringTable.withDelayedReuse(StringTable.Lifetime.HELD, 1 << 20, RESTING_CODES));
        }

        private void reject(final int count, final String reason, final String detail)
        {
            rejected += count;
            if (LIMITS.contains(reason))
            {
                limit = reason + ": " + detail;
            }
        }

        private void open(final String query, final EventType type, final Map<String, BatchSchema> schemas,
            final Map<String, EventBatchSink> sinks)
        {
            final String id = LiteralParameterizer.idOf(query);
            final List<CaseRow> list = rows.computeIfAbsent(id, name -> new ArrayList<>());
            final List<CaseRow> part = new ArrayList<>();
            parts.computeIfAbsent(id, name -> new ArrayList<>()).add(part);
            schemas.put(query, new BatchSchema(type));
            sinks.put(query, batch -> {
                collect(batch, list);
                collect(batch, part);
            });
        }

        private void collect(final EventBatch batch, final List<CaseRow> list)
        {
            final List<EventProperty> properties = batch.schema().type().properties();
            for (int row = 0; row < batch.size(); row++)
            {
                final Object[] values = new Object[properties.size()];
                for (int column = 0; column < values.length; column++)
                {
                    values[column] = CaseRow.plain(batch.value(column, row),
                        properties.get(column).type() == CqlType.TIMESTAMP);
                }
                list.add(new CaseRow(batch.timestampNs(row), batch.kind(row) == EventBatch.DELETE ? '-' : '+', values));
            }
        }

        Reference.Outcome run(final List<Interpreter.Arrival> arrivals, final int batchSize)
        {
            final Map<String, EventBatch> batches = new HashMap<>();
            types.forEach((name, type) -> batches.put(name, new EventBatch(new BatchSchema(type))));
            final Map<String, Long> lastNs = new HashMap<>();
            final int most = engines.stream().anyMatch(engine -> engine.size() > 1) ? 1
                : Math.min(batchSize, EventBatch.CAPACITY);
            pipelinesOf.forEach((name, all) -> begin(batches.get(name), all));
            for (int i = 0; i < arrivals.size(); i++)
            {
                final Forgetting forgetting = forgettings.get(i);
                if (forgetting != null)
                {
                    engines.forEach(engine -> engine.forget(forgetting.input(), forgetting.partitions()));
                }
                if (i == movesBefore)
                {
                    engines.forEach(engine -> engine.move(moved));
                }
                if (restarts.contains(i))
                {
                    engines.forEach(engine -> engine.restart(restartsAll ? null : unwritten));
                    pipelinesOf.values().forEach(all -> all.forEach(Filtered::restart));
                }
                final Interpreter.Arrival arrival = arrivals.get(i);
                final EventBatch batch = batches.get(arrival.input());
                if (arrival.kind() == 'h')
                {
                    batch.baseTimestampNs(arrival.timeNs());
                    give(arrival.input(), batch);
                    continue;
                }
                if (pipelinesOf.containsKey(arrival.input()) &&
                    arrival.timeNs() < lastNs.merge(arrival.input(), arrival.timeNs(), Math::max))
                {
                    // In a server, the channel upstream of a pipeline rejects such a row.
                    rejected++;
                    if (batch.size() > 0)
                    {
                        give(arrival.input(), batch);
                    }
                    continue;
                }
                write(arrival, batch);
                final boolean more = i + 1 < arrivals.size() && !forgettings.containsKey(i + 1) &&
                    !restarts.contains(i + 1)
                    && arrivals.get(i + 1).kind() != 'h'
                    && arrivals.get(i + 1).input().equals(arrival.input());
                if (batch.size() == most || !more)
                {
                    give(arrival.input(), batch);
                }
            }
            engines.forEach(FlowRun::finish);
            rows.forEach(uniqueRows::check);
            return new Reference.Outcome(rows, rejected, limit);
        }

        /** Flows start by themselves: an aggregate without groups also has a row when nothing ever arrives. */
        private void begin(final EventBatch batch, final List<Filtered> all)
        {
            batch.baseTimestampNs(Long.MIN_VALUE);
            all.forEach(pipeline -> pipeline.onBatch(batch));
            batch.clear();
        }

        private void give(final String input, final EventBatch batch)
        {
            if (indexes.containsKey(input))
            {
                indexes.get(input).onBatch(batch);
            }
            engines.forEach(engine -> engine.give(input, batch));
            batch.clear();
        }

        private void write(final Interpreter.Arrival arrival, final EventBatch batch)
        {
            final int row = batch.size();
            batch.useTimestampPerRow()[row] = arrival.timeNs();
            final boolean relation = inputs.stream().anyMatch(i -> i.name().equals(arrival.input()) && i.relation());
            if (relation)
            {
                batch.useKinds()[row] = arrival.kind() == '+' ? EventBatch.INSERT
                    : arrival.kind() == '-' ? EventBatch.DELETE : EventBatch.UPDATE;
            }
            for (int column = 0; column < arrival.values().length; column++)
            {
                batch.setValue(column, row, arrival.values()[column]);
            }
            batch.size(row + 1);
        }
    }
}
