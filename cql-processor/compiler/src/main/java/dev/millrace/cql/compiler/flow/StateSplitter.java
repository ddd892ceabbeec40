package dev.millrace.cql.compiler.flow;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.cql.runtime.flow.FlowBindings;
import dev.millrace.cql.runtime.flow.FlowEngine;
import dev.millrace.cql.runtime.state.PartitionPredicate;
import dev.millrace.cql.runtime.state.StateException;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import java.util.HashMap;
import java.util.Map;

/**
 * The state of an engine in two parts: some partitions, and all others. Each part is written by a copy of the engine
 * without outputs that discards the state of the other part, so that both parts are from the same moment.
 *
 * <p>Immutable. Ownership: the caller owns the arrays.
 */
public final class StateSplitter
{
    private final byte[] moved;
    private final byte[] kept;

    /**
     * Splits the state of an engine.
     *
     * @param engine     between batches
     * @param flow       of which it is an instance
     * @param partitions partitions to separate, by the index of the source
     * @param maxBytes   maximum bytes of the whole state
     * @throws StateException when the state cannot be written, or not be separated by partition
     */
    public StateSplitter(final FlowEngine engine, final CompiledFlow flow, final FlowBindings bindings,
        final Map<Integer, PartitionPredicate> partitions, final int maxBytes)
    {
        final byte[] all = written(engine, maxBytes);
        kept = without(all, flow, bindings, maxBytes, partitions);
        final Map<Integer, PartitionPredicate> others = new HashMap<>();
        partitions.forEach((source, each) -> others.put(source, each.others()));
        moved = without(all, flow, bindings, maxBytes, others);
    }

    private static byte[] written(final FlowEngine engine, final int maxBytes)
    {
        final StateOutput to = new StateOutput(maxBytes);
        engine.write(to);
        return to.toBytes();
    }

    private static byte[] without(final byte[] state, final CompiledFlow flow, final FlowBindings bindings,
        final int maxBytes, final Map<Integer, PartitionPredicate> dropped)
    {
        final Map<String, EventBatchSink> nowhere = new HashMap<>();
        bindings.outputs().keySet().forEach(query -> nowhere.put(query, batch ->
        {
            // Rows that a copy emits are meaningless.
        }));
        final FlowEngine copy = flow.instantiate(new FlowBindings(bindings.outputSchemas(), nowhere, bindings.pulls(),
            bindings.aggregates(), bindings.windows(), (rows, reason, detail) ->
            {
                // So are rows that it rejects.
            }, bindings.maxRows(), MemoryAccount.NONE, bindings.idleStateNs(), bindings.maxAttempts(),
            bindings.codes()), new StateInput(state));
        dropped.forEach(copy::discard);
        return written(copy, maxBytes);
    }

    /** State of the partitions to separate, for a {@link StateInput}. */
    public byte[] moved()
    {
        return moved;
    }

    /** State of all other partitions, for a {@link StateInput}. */
    public byte[] kept()
    {
        return kept;
    }
}
