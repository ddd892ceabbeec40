package dev.millrace.network.spi;

import dev.millrace.api.condition.StageConditions;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadFactory;

/** The services that a network provides to a starting processor. */
public interface ProcessorWiring
{
    /**
     * Returns the prefix for names of threads and for messages.
     *
     * @return {@code application/stage}
     */
    String qualifiedName();

    /**
     * Opens a memory account for state of a rule; the owner of the state must close it.
     *
     * @param rule id of the rule, or the ids of rules that run as one
     * @param part kind of the state
     * @return an empty account; without a limit where no budget is known
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
     * Returns the factory of worker threads.
     *
     * @return creates daemon threads with names of the network
     */
    ThreadFactory threads();

    /**
     * Returns how many workers share a PARTITION_ORDERED pipeline.
     *
     * @return at least 1
     */
    int workers();

    /**
     * Returns how many source threads will open an input of a channel. With one source and one worker a pipeline runs
     * on the source's thread; otherwise rows are passed to workers through rings.
     *
     * @param channelId a channel that feeds the processor
     * @return at least 0
     */
    int sourceThreads(String channelId);

    /**
     * Returns the channels that feed the processor.
     *
     * @return their ids; empty where the caller knows them
     */
    default Collection<String> channels()
    {
        return List.of();
    }

    /**
     * Returns an object that identifies the only source thread of a channel. A processor with one worker runs on the
     * thread of its channels when all of them have the same single thread.
     *
     * @param channelId a channel that feeds the processor
     * @return equal for channels whose rows arrive on one thread; {@code null} unless {@link #sourceThreads} is 1
     */
    Object sourceThread(String channelId);

    /**
     * Opens the sink for a query's rows. Called before the first event, once per query and thread that runs it; batches
     * have the type of the query's output.
     *
     * @param queryId id
     * @return sink that a single thread calls; never throws for a failing stage below
     */
    default EventBatchSink openOutput(final String queryId)
    {
        return openOutputs(List.of(queryId)).get(queryId);
    }

    /**
     * Opens the sinks for the rows of queries that one thread runs as one, like {@link #openOutput}. Queries that get
     * the same sink reach the same channels and may have their rows in one batch of the schema of any of them, in the
     * order in which they are emitted.
     *
     * @param queryIds ids
     * @return sink of each query
     */
    Map<String, EventBatchSink> openOutputs(List<String> queryIds);

    /**
     * Opens the sinks for queries of rules that the processor ran before it ended, like {@link #openOutputs}: a durable
     * processor restores their state and changes the rules when it begins. Rows that the channels below cannot accept
     * are dropped.
     *
     * @param queries their outputs
     * @return sink of each query
     */
    default Map<String, EventBatchSink> openEarlierOutputs(final List<QueryOutput> queries)
    {
        return openOutputs(queries.stream().map(QueryOutput::queryId).toList());
    }

    /**
     * Returns the storage by which the state of the processor survives the end of the process.
     *
     * @return {@code null} if the application is not durable
     */
    default DurableStorage storage()
    {
        return null;
    }

    /** The conditions that the processor raises about itself. */
    default StageConditions conditions()
    {
        return StageConditions.NONE;
    }

    /**
     * Counts rows that a rule had to reject, for example because of a division by zero.
     *
     * @param rows   how many
     * @param reason short, from a small set of values
     * @param detail information that helps a user to find the cause; logged at most once per period
     */
    void reject(int rows, String reason, String detail);
}
