package dev.millrace.network.spi;

import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.ProcessorStage;
import java.util.BitSet;
import java.util.Map;
import java.util.function.Consumer;

/** A processor that accepts events. */
public interface RunningProcessor
{
    /**
     * Opens an input for one source thread; called before the first event,
     * {@link ProcessorWiring#sourceThreads(String)} times.
     *
     * @param channelId a channel that feeds the processor
     * @return sink for that thread only
     */
    EventBatchSink openInput(String channelId);

    /**
     * Called once, before the first event, when the stages below have started. A durable processor restores its state,
     * and emits what they have not stored. If the state belongs to other rules, these run until then, and are replaced
     * as {@link #change} does.
     *
     * @param outputs opens and closes the outputs of queries
     * @return the outcome for each query if rules were replaced; {@code null} otherwise
     * @throws DeploymentException if it cannot be restored, or the rules cannot be replaced
     */
    default RuleChange begin(final DynamicOutputs outputs) throws DeploymentException
    {
        return null;
    }

    /**
     * Returns the rows of a relation channel that the processor has received before it ended; called after
     * {@link #begin}.
     *
     * @param channelId a relation channel with primary key that feeds the processor
     * @return {@code null} unless the processor is durable and reads the channel
     */
    default StoredRelation storedRelation(final String channelId)
    {
        return null;
    }

    /**
     * Replaces the rules while events flow. Queries whose plan is unchanged keep their state; events wait during the
     * replacement, and none is lost or processed twice.
     *
     * @param definition the processor with its new rules
     * @param outputs    opens and closes the outputs of queries
     * @param accepted   called when the new rules are accepted, and before they run, while rows wait
     * @return the outcome for each query
     * @throws DeploymentException with all problems; nothing is changed. A durable processor may fail after the call of
     *     {@code accepted}
     */
    default RuleChange change(final ProcessorStage definition, final DynamicOutputs outputs, final Runnable accepted)
        throws DeploymentException
    {
        throw new DeploymentException("EPN-0521", definition.position(),
            "rules of this processor cannot be changed while it is running, processor=" + definition.id()
                + " provider=" +
            definition.provider(), "change the configuration and update the application");
    }

    /**
     * Discards the state of partitions of a channel that is partitioned across members, because other members own them
     * from now on. Rows wait in the meantime; no row of these partitions is in transit.
     *
     * @param channelId  a channel that feeds the processor
     * @param partitions numbers as returned by {@link dev.millrace.network.partition.PartitionHash}
     * @param timeoutNs  how long to wait until rows inside the processor are emitted
     * @param to         receives the state that can be transferred before it is discarded; may receive nothing
     * @return false when that took too long: nothing was discarded, call again
     */
    default boolean forget(final String channelId, final BitSet partitions, final long timeoutNs,
        final Consumer<byte[]> to)
    {
        throw new IllegalStateException("internal error, please report it: a processor that cannot discard partitions "
            + "was " +
            "given a partitioned channel, channel=" + channelId);
    }

    /**
     * Restores state of partitions of a channel that a processor with the same rules on another member has exported.
     * State that cannot be restored starts empty, which is logged. Rows wait in the meantime.
     *
     * @param channelId  a channel that feeds the processor
     * @param partitions partitions without state here
     * @param state      exported by {@link #forget} on the other member
     * @param timeoutNs  how long to wait until rows inside the processor are emitted
     * @return false when that took too long: nothing was restored, call again
     */
    default boolean takeOver(final String channelId, final BitSet partitions, final byte[] state, final long timeoutNs)
    {
        throw new IllegalStateException("internal error, please report it: a processor that cannot restore state was " +
            "given a partitioned channel, channel=" + channelId);
    }

    /**
     * Describes the state that queries hold, in words as in {@link RuleChange.QueryChange#lostState}. Called while no
     * rows arrive.
     *
     * @return descriptions by query, for all running queries; empty when a query holds no state
     */
    default Map<String, String> heldState()
    {
        return Map.of();
    }

    /**
     * Waits until all accepted rows have been emitted, up to a time limit.
     *
     * @param timeoutNs time limit
     * @return whether all rows were emitted
     */
    boolean drain(long timeoutNs);

    /** Ends worker threads after they have processed their rows; called once, after the sources have stopped. */
    void stop();

    /**
     * Returns the statistics of the processor: rows in and out by query, batches, workers, state sizes.
     *
     * @return names to numbers, strings or maps of these; a snapshot
     */
    Map<String, Object> statistics();
}
