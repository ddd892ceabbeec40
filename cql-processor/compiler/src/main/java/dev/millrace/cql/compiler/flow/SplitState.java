package dev.millrace.cql.compiler.flow;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.cql.runtime.flow.FlowBindings;
import dev.millrace.cql.runtime.flow.FlowEngine;
import dev.millrace.cql.runtime.state.PartitionTest;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import java.util.HashMap;
import java.util.Map;

/**
 * The state of an engine in two parts: some partitions, and all others. Each is made by a copy of the engine that
 * nobody hears and that drops what belongs to the other part, so that both come from the same moment.
 *
 * <p>Immutable. Ownership: the arrays are the caller's.
 */
public final class SplitState
{
    private final byte[] moved;
    private final byte[] kept;

    SplitState(final FlowEngine engine, final CompiledFlow flow, final FlowBindings bindings, final int maxBytes,
        final Map<Integer, PartitionTest> partitions)
    {
        final byte[] all = written(engine, maxBytes);
        kept = without(all, flow, bindings, maxBytes, partitions);
        final Map<Integer, PartitionTest> others = new HashMap<>();
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
        final int maxBytes, final Map<Integer, PartitionTest> dropped)
    {
        final Map<String, EventBatchSink> nowhere = new HashMap<>();
        bindings.outputs().keySet().forEach(query -> nowhere.put(query, batch ->
        {
            // What a copy puts out means nothing.
        }));
        final FlowEngine copy = flow.instantiate(new FlowBindings(bindings.outputSchemas(), nowhere, bindings.pulls(),
            bindings.aggregates(), bindings.windows(), (rows, reason, detail) ->
            {
                // Neither does what it turns away.
            }, bindings.maxRows(), MemoryAccount.NONE, bindings.idleStateNs(), bindings.maxAttempts(),
            bindings.codes()), new StateInput(state));
        dropped.forEach(copy::discard);
        return written(copy, maxBytes);
    }

    /**
     * State of the partitions that are to go.
     *
     * @return for a {@link StateInput}
     */
    public byte[] moved()
    {
        return moved;
    }

    /**
     * State of all other partitions.
     *
     * @return for a {@link StateInput}
     */
    public byte[] kept()
    {
        return kept;
    }
}
