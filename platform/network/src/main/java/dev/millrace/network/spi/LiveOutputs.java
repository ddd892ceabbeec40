package dev.millrace.network.spi;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.spi.PlannedProcessor.QueryOutput;
import java.util.List;
import java.util.Map;

/** Where the rows of queries go that start and end while the network runs. For the thread that makes the change. */
public interface LiveOutputs
{
    /**
     * Checks that the channels below that take a query's rows can take them.
     *
     * @param output a query that is to start
     * @throws DeploymentException with what does not fit, and what the channel takes
     */
    void check(QueryOutput output) throws DeploymentException;

    /**
     * The channels below that take a query's rows.
     *
     * @param queryId id
     * @return their ids; empty when selectors leave the query out everywhere
     */
    List<String> takers(String queryId);

    /**
     * Opens the ways of one thread's rows of queries that run as one, or of one query; called while no row is inside
     * the processor. Queries may get the same sink, as {@link ProcessorWiring#openOutputs} says.
     *
     * @param queries shape of the rows, by id
     * @return sink for one thread, by id
     */
    Map<String, EventBatchSink> open(Map<String, BatchSchema> queries);

    /**
     * Ends the way of the rows of all queries that share a sink; called while no row is inside the processor. What is
     * still put into the sink is dropped.
     *
     * @param output what {@link #open} or {@link ProcessorWiring#openOutputs} gave
     */
    void close(EventBatchSink output);
}
