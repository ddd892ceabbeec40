package dev.millrace.network.spi;

import dev.millrace.api.stage.EventBatchSink;
import java.util.Map;

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
