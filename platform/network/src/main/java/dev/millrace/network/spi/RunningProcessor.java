package dev.millrace.network.spi;

import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.ProcessorStage;
import java.util.BitSet;
import java.util.Map;
import java.util.function.Consumer;

/** A processor that takes events. */
public interface RunningProcessor
{
    /**
     * Opens an input for one source thread; called before the first event, as often as {@link
     * ProcessorWiring#sourceThreads(String)} said.
     *
     * @param channelId a channel that feeds the processor
     * @return sink for that thread alone
     */
    EventBatchSink openInput(String channelId);

    /**
     * Exchanges the rules while events flow. Queries whose plan stays the same run on with their state; events wait
     * for the moment of the exchange, and none is lost or seen twice.
     *
     * @param definition the processor with its new rules
     * @param outputs    opens and closes the ways of queries
     * @return what became of each query
     * @throws DeploymentException with all problems; everything is as before
     */
    default RuleChange change(final ProcessorStage definition, final LiveOutputs outputs) throws DeploymentException
    {
        throw new DeploymentException("EPN-0521", definition.position(),
            "rules of this processor cannot be changed while it runs, processor=" + definition.id() + " provider=" +
            definition.provider(), "change the configuration and update the application");
    }

    /**
     * Forgets what it knows of partitions of a channel that is shared out among members, because they are elsewhere
     * from now on. Rows wait meanwhile; none of these partitions is on its way.
     *
     * @param channelId  a channel that feeds the processor
     * @param partitions numbers as {@link dev.millrace.network.partition.PartitionHash} gives them
     * @param timeoutNs  how long rows inside the processor may take to get out
     * @param to         takes the state that is forgotten and can go on elsewhere, before it is; perhaps none
     * @return false when that took too long: nothing was forgotten, to be called again
     */
    default boolean forget(final String channelId, final BitSet partitions, final long timeoutNs,
        final Consumer<byte[]> to)
    {
        throw new IllegalStateException("our bug, please report it: a processor that cannot forget partitions was " +
            "given a channel that is shared out, channel=" + channelId);
    }

    /**
     * Takes over the state of partitions of a channel that a processor of another member with the same rules has
     * forgotten. What cannot be taken over begins empty, which is logged. Rows wait meanwhile.
     *
     * @param channelId  a channel that feeds the processor
     * @param partitions of which nothing is known here
     * @param state      what {@link #forget} has given there
     * @param timeoutNs  how long rows inside the processor may take to get out
     * @return false when that took too long: nothing was taken over, to be called again
     */
    default boolean takeOver(final String channelId, final BitSet partitions, final byte[] state, final long timeoutNs)
    {
        throw new IllegalStateException("our bug, please report it: a processor that cannot take state over was " +
            "given a channel that is shared out, channel=" + channelId);
    }

    /**
     * The state that queries hold, in words as {@link RuleChange.QueryChange#lostState} has them. Called while no rows
     * come.
     *
     * @return words by query, for all that run; empty words when a query holds nothing
     */
    default Map<String, String> heldState()
    {
        return Map.of();
    }

    /**
     * Waits until all rows taken so far have been put out, for at most some time.
     *
     * @param timeoutNs how long
     * @return whether everything is out
     */
    boolean drain(long timeoutNs);

    /** Ends worker threads after the rows they hold; called once, after the sources have stopped. */
    void stop();

    /**
     * Figures of the processor: rows in and out by query, batches, workers, state sizes.
     *
     * @return names to numbers, strings or maps of such; a snapshot
     */
    Map<String, Object> statistics();
}
