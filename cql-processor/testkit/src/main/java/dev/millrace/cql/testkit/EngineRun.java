package dev.millrace.cql.testkit;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.string.StringTable;
import dev.millrace.cql.compiler.CompiledPipeline;
import dev.millrace.cql.compiler.flow.CompiledFlow;
import dev.millrace.cql.functions.Aggregates;
import dev.millrace.cql.plan.PipelinePlan;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.runtime.Pipeline;
import dev.millrace.cql.runtime.PipelineBindings;
import dev.millrace.cql.runtime.flow.FlowBindings;
import dev.millrace.cql.runtime.flow.FlowEngine;
import dev.millrace.cql.runtime.index.IndexedQuery;
import dev.millrace.cql.runtime.index.RowFilter;
import dev.millrace.cql.runtime.index.StatementIndex;
import dev.millrace.cql.runtime.state.PartitionPredicate;
import dev.millrace.cql.runtime.state.PartitionSelection;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import dev.millrace.cql.testkit.interpreter.Interpreter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** The engines of one run of a case, their state, and what happens to them between rows. Not thread-safe. */
final class EngineRun
{
    private static final int RESTING_CODES = 64;

    /** Partitions to discard before an arrival. */
    record Forgetting(String input, PartitionPredicate partitions)
    {
    }

    private final CompiledCase compiledCase;
    private final RunOutput output = new RunOutput();
    private final Map<String, List<Filtered>> pipelinesOf = new HashMap<>();
    private final Map<String, StatementIndex> indexes = new HashMap<>();
    private final List<FlowRun> engines = new ArrayList<>();
    private final Map<String, EventBatch> batches = new HashMap<>();
    private final Map<Integer, Forgetting> forgettings = new HashMap<>();
    private final Set<Integer> restarts = new HashSet<>();
    private Set<String> unwritten;
    private int movesBefore = -1;
    private PartitionPredicate moved;

    /** Creates the engines of all rules. */
    EngineRun(final CompiledCase compiledCase)
    {
        this.compiledCase = compiledCase;
        compiledCase.types().forEach((name, type) -> batches.put(name, new EventBatch(new BatchSchema(type))));
        for (final CompiledPipeline compiled : compiledCase.pipelines())
        {
            final PipelinePlan of = compiled.plan();
            final Map<String, BatchSchema> schemas = new HashMap<>();
            final Map<String, EventBatchSink> sinks = new HashMap<>();
            of.outputs().forEach(query -> output.open(query.queryId(), query.type(), schemas, sinks));
            pipelinesOf.computeIfAbsent(of.sourceChannel(), channel -> new ArrayList<>())
                .add(new Filtered(compiled, () -> new PipelineBindings(new BatchSchema(of.sourceType()), schemas,
                    sinks, Map.of(), output::reject, MemoryAccount.NONE,
                    StringTable.withDelayedReuse(StringTable.Lifetime.HELD, 1 << 20, RESTING_CODES))));
        }
        pipelinesOf.forEach((name, all) -> indexes.put(name, new StatementIndex(all)));
        compiledCase.flows().forEach(compiled -> engines.add(start(compiled)));
    }

    /** Discards partitions before some arrivals, given by their numbers. */
    void forgets(final Map<Integer, Forgetting> before)
    {
        forgettings.putAll(before);
    }

    /**
     * Continues with engines that restore the state of the previous ones.
     *
     * @param before    numbers of the arrivals that follow a restart
     * @param refused   receives the reasons of engines whose state cannot be written, which continue; {@code null}
     *                  when all can be
     */
    void restarts(final Set<Integer> before, final Set<String> refused)
    {
        restarts.addAll(before);
        unwritten = refused;
    }

    /** Moves some partitions, selected by the first column of all inputs, to a separate engine before an arrival. */
    void moves(final int before, final PartitionPredicate partitions)
    {
        movesBefore = before;
        moved = partitions;
    }

    RunOutput output()
    {
        return output;
    }

    private FlowRun start(final CompiledFlow compiled)
    {
        final CompiledCase.Merging second = compiledCase.merging(compiled);
        if (second == null)
        {
            return new FlowRun(compiled, CompiledCase.SPLIT_ENGINES, source -> new BatchSchema(source.type()),
                index -> bindings(compiled, Map.of(), Map.of()), null);
        }
        final Map<String, BatchSchema> schemas = new HashMap<>();
        second.steps().types().forEach(type -> schemas.put(type.name(), new BatchSchema(type)));
        final FlowEngine last = second.compiled().instantiate(bindings(second.compiled(), Map.of(), Map.of()));
        return new FlowRun(compiled, CompiledCase.SPLIT_ENGINES, source -> new BatchSchema(source.type()), index ->
        {
            final Map<String, EventBatchSink> parts = new HashMap<>();
            for (int part = 0; part < second.steps().types().size(); part++)
            {
                final int source = part * CompiledCase.SPLIT_ENGINES + index;
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
        for (final FlowPlan.Output query : compiled.plan().outputs())
        {
            if (!parts.containsKey(query.queryId()))
            {
                output.open(query.queryId(), query.type(), schemas, sinks);
            }
        }
        // String codes are released at the end of each batch and reused late: state that has not retained one
        // fails.
        return new FlowBindings(schemas, sinks, XmlSources.of(compiled.plan()), Aggregates.factories(), Map.of(),
            output::reject, 1 << 20, MemoryAccount.NONE, 0, FlowBindings.DEFAULT_MAX_ATTEMPTS,
            () -> StringTable.withDelayedReuse(StringTable.Lifetime.HELD, 1 << 20, RESTING_CODES));
    }

    /**
     * Runs over arrivals.
     *
     * @param batchSize maximum rows per batch; only consecutive rows of one source share a batch
     */
    void run(final List<Interpreter.Arrival> arrivals, final int batchSize)
    {
        final Map<String, Long> lastNs = new HashMap<>();
        final int most = engines.stream().anyMatch(engine -> engine.size() > 1) ? 1
            : Math.min(batchSize, EventBatch.CAPACITY);
        pipelinesOf.forEach((name, all) -> begin(batches.get(name), all));
        for (int i = 0; i < arrivals.size(); i++)
        {
            interrupt(i);
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
                output.reject(1, "late", arrival.input());
                if (batch.size() > 0)
                {
                    give(arrival.input(), batch);
                }
                continue;
            }
            write(arrival, batch);
            if (batch.size() == most || !continues(arrivals, i))
            {
                give(arrival.input(), batch);
            }
        }
        engines.forEach(FlowRun::finish);
    }

    /** Applies what is due before an arrival. */
    private void interrupt(final int arrival)
    {
        final Forgetting forgetting = forgettings.get(arrival);
        if (forgetting != null)
        {
            engines.forEach(engine -> engine.forget(forgetting.input(), forgetting.partitions()));
        }
        if (arrival == movesBefore)
        {
            engines.forEach(engine -> engine.move(moved));
        }
        if (restarts.contains(arrival))
        {
            engines.forEach(engine -> engine.restart(unwritten));
            pipelinesOf.values().forEach(all -> all.forEach(Filtered::restart));
        }
    }

    /** Whether the next arrival may be in the batch of this one. */
    private boolean continues(final List<Interpreter.Arrival> arrivals, final int arrival)
    {
        final int next = arrival + 1;
        return next < arrivals.size() && !forgettings.containsKey(next) && !restarts.contains(next) &&
            arrivals.get(next).kind() != 'h' && arrivals.get(next).input().equals(arrivals.get(arrival).input());
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
        if (compiledCase.isRelation(arrival.input()))
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
}
