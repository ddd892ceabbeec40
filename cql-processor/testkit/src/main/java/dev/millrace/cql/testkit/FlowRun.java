package dev.millrace.cql.testkit;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.cql.compiler.flow.CompiledFlow;
import dev.millrace.cql.compiler.flow.StateSplitter;
import dev.millrace.cql.plan.expression.OrderingConstraint;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.plan.flow.FlowRoute;
import dev.millrace.cql.runtime.flow.FlowBindings;
import dev.millrace.cql.runtime.flow.FlowEngine;
import dev.millrace.cql.runtime.row.RowHashes;
import dev.millrace.cql.runtime.state.PartitionPredicate;
import dev.millrace.cql.runtime.state.StateException;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * A flow and the engines that run it: one, or several that partition the rows by the routes of the plan, called one
 * after another on the caller's thread. Not thread-safe.
 */
final class FlowRun
{
    static final int MOST_STATE_BYTES = 1 << 26;

    private final CompiledFlow compiled;
    private final Function<Integer, FlowBindings> bindings;
    private final FlowPlan plan;
    private final List<FlowEngine> engines = new ArrayList<>();
    private final RowHashes[] hashes;
    private final EventBatch[] times;
    private final FlowEngine last;
    private final long[] lastNs;
    /** Partitions that the second of two engines has, by the first column; {@code null} before they have moved. */
    private PartitionPredicate moved;
    private int next;

    /**
     * Creates engines.
     *
     * @param most     maximum number of engines, if the flow can be partitioned
     * @param schemas  of the sources' batches
     * @param bindings of an engine by its index
     * @param last     processes the output of the others; {@code null} without
     */
    FlowRun(final CompiledFlow compiled, final int most, final Function<FlowNode.Source, BatchSchema> schemas,
        final Function<Integer, FlowBindings> bindings, final FlowEngine last)
    {
        this.last = last;
        this.compiled = compiled;
        this.bindings = bindings;
        plan = compiled.plan();
        final int count = plan.ordering() == OrderingConstraint.ORDERED ? 1 : most;
        for (int i = 0; i < count; i++)
        {
            engines.add(compiled.instantiate(bindings.apply(i)));
        }
        if (last != null)
        {
            engines.forEach(FlowEngine::tellTime);
        }
        hashes = new RowHashes[plan.sources().size()];
        times = new EventBatch[hashes.length];
        lastNs = new long[hashes.length];
        java.util.Arrays.fill(lastNs, Long.MIN_VALUE);
        for (int i = 0; i < hashes.length; i++)
        {
            final BatchSchema schema = schemas.apply(plan.sources().get(i));
            times[i] = new EventBatch(schema);
            hashes[i] = count > 1 && plan.routes().get(i).kind() == FlowRoute.Kind.VALUE ? compiled.hashes(i, schema)
                : null;
        }
    }

    /** How many engines there are. */
    int size()
    {
        return engines.size();
    }

    /** Processes a batch, which has at most one row when there are several engines. */
    void give(final String input, final EventBatch batch)
    {
        final int source = engines.get(0).source(input);
        if (source < 0)
        {
            return;
        }
        if (engines.size() == 1)
        {
            engines.get(0).onBatch(source, batch);
            return;
        }
        final long timeNs = batch.size() == 0 ? batch.baseTimestampNs() : batch.timestampNs(0);
        final int owner = batch.size() == 0 ? -1 : moved != null ? isMoved(batch) ? 1 : 0 : owner(source, batch);
        lastNs[source] = Math.max(lastNs[source], timeNs);
        for (int i = 0; i < engines.size(); i++)
        {
            if (owner < 0 || owner == i)
            {
                engines.get(i).onBatch(source, batch);
            }
            else
            {
                // Another row of this time may follow unless times are strictly increasing.
                time(i, source, plan.sources().get(source).time() == FlowNode.TimeKind.APPLICATION ? timeNs - 1
                    : timeNs);
            }
        }
    }

    /** Moves some partitions to a second engine, and all others to a new first one. */
    void move(final PartitionPredicate partitions)
    {
        final Map<Integer, PartitionPredicate> all = new HashMap<>();
        for (int source = 0; source < plan.sources().size(); source++)
        {
            all.put(source, partitions);
        }
        final StateSplitter state =
            new StateSplitter(engines.get(0), compiled, bindings.apply(0), all, MOST_STATE_BYTES);
        engines.set(0, compiled.instantiate(bindings.apply(0), new StateInput(state.kept())));
        engines.add(compiled.instantiate(bindings.apply(1), new StateInput(state.moved())));
        moved = partitions;
    }

    private boolean isMoved(final EventBatch batch)
    {
        final Object value = batch.value(0, 0);
        return value == null ? moved.ofNull() : value instanceof final String string ? moved.ofString(string) :
            moved.ofLong(((Number)value).longValue());
    }

    /** Discards partitions of a channel, between batches. */
    void forget(final String input, final PartitionPredicate partitions)
    {
        final int source = engines.get(0).source(input);
        if (source >= 0)
        {
            engines.forEach(engine -> engine.forget(source, partitions));
        }
    }

    /**
     * Continues with new engines that have restored the state of the previous ones.
     *
     * @param unwritten receives the reasons of engines whose state cannot be written, which continue; {@code null} when
     *                  all can be written
     */
    void restart(final Set<String> unwritten)
    {
        for (int i = 0; i < engines.size() && last == null; i++)
        {
            final StateOutput to = new StateOutput(MOST_STATE_BYTES);
            try
            {
                engines.get(i).write(to);
            }
            catch (final StateException refused)
            {
                if (unwritten == null)
                {
                    throw refused;
                }
                unwritten.add(refused.getMessage());
                continue;
            }
            final StateInput from = new StateInput(to.toBytes());
            engines.set(i, compiled.instantiate(bindings.apply(i), from));
            from.end();
        }
    }

    private void time(final int engine, final int source, final long timeNs)
    {
        times[source].clear();
        times[source].baseTimestampNs(timeNs);
        engines.get(engine).onBatch(source, times[source]);
    }

    private int owner(final int source, final EventBatch batch)
    {
        switch (plan.routes().get(source).kind())
        {
            case ALL:
                return -1;
            case ANY:
                next = (next + 1) % engines.size();
                return next;
            default:
                final long[] values = new long[EventBatch.CAPACITY];
                hashes[source].of(batch, values);
                return (int)Math.floorMod(values[0] ^ values[0] >>> 7 ^ values[0] >>> 17, (long)engines.size());
        }
    }

    /** Emits everything that is decided: no further rows will arrive. */
    void finish()
    {
        for (int source = 0; engines.size() > 1 && source < lastNs.length; source++)
        {
            for (int i = 0; i < engines.size() && lastNs[source] != Long.MIN_VALUE; i++)
            {
                time(i, source, lastNs[source]);
            }
        }
        engines.forEach(FlowEngine::finish);
        if (last != null)
        {
            last.finish();
        }
    }
}
