package dev.millrace.network.spi;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadFactory;

/** What a network gives a processor that starts. */
public interface ProcessorWiring
{
    /**
     * Names of threads and messages start with this.
     *
     * @return {@code application/stage}
     */
    String qualifiedName();

    /**
     * Opens an account for state of a rule; whoever ends the state closes it.
     *
     * @param rule id of the rule, or those of rules that run as one
     * @param part what it is
     * @return empty; without a limit where no budget is known
     */
    default MemoryAccount openMemory(final String rule, final String part)
    {
        return MemoryAccount.NONE;
    }

    /**
     * The clock of the network.
     *
     * @return clock
     */
    Clock clock();

    /**
     * Threads for workers.
     *
     * @return makes daemon threads with names of the network
     */
    ThreadFactory threads();

    /**
     * How many workers share a PARTITION_ORDERED pipeline.
     *
     * @return at least 1
     */
    int workers();

    /**
     * How many source threads will open an input of a channel. With one source and one worker a pipeline runs on the
     * source's thread; otherwise rows travel to workers through rings.
     *
     * @param channelId a channel that feeds the processor
     * @return at least 0
     */
    int sourceThreads(String channelId);

    /**
     * What stands for the only source thread of a channel. A processor with one worker runs on the thread of its
     * channels when each has only one, and the same.
     *
     * @param channelId a channel that feeds the processor
     * @return equal for channels whose rows come on one thread; {@code null} unless {@link #sourceThreads} is 1
     */
    Object sourceThread(String channelId);

    /**
     * Where a query's rows go. Called once a query and thread that runs it, before events; batches have the type
     * of the query's output.
     *
     * @param queryId id
     * @return sink for one thread; never throws for a failing stage below
     */
    default EventBatchSink openOutput(final String queryId)
    {
        return openOutputs(List.of(queryId)).get(queryId);
    }

    /**
     * Where the rows of queries go that one thread runs as one; as {@link #openOutput} otherwise. Queries that get the
     * same sink reach the same channels and may have their rows in one batch of the schema of any of them, in the order
     * in which they come about.
     *
     * @param queryIds ids
     * @return sink of each
     */
    Map<String, EventBatchSink> openOutputs(List<String> queryIds);

    /**
     * Counts rows that a rule had to turn away, for example for a division by zero.
     *
     * @param rows   how many
     * @param reason short, of few different values
     * @param detail what a user needs to find the cause; logged at most once a period
     */
    void reject(int rows, String reason, String detail);
}
