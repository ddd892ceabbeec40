package dev.millrace.network.spi;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.network.definition.DeploymentException;
import java.util.List;
import java.util.Map;

/** Outputs of queries that start and end while the network is running. Confined to the thread that makes the change. */
public interface DynamicOutputs
{
    /**
     * Checks that the channels below can accept a query's rows.
     *
     * @param output a query that is to start
     * @throws DeploymentException with the mismatches, and the columns that the channel accepts
     */
    void check(QueryOutput output) throws DeploymentException;

    /**
     * Returns the channels below that accept a query's rows.
     *
     * @param queryId id
     * @return their ids; empty when selectors exclude the query everywhere
     */
    List<String> takers(String queryId);

    /**
     * Opens outputs of one thread for queries that run as one, or for one query; called while no row is inside the
     * processor. Queries may get the same sink, as described for {@link ProcessorWiring#openOutputs}.
     *
     * @param queries schema of the rows, by id
     * @return sink by id; each is called by a single thread
     */
    Map<String, EventBatchSink> open(Map<String, BatchSchema> queries);

    /**
     * Closes the output of all queries that share a sink; called while no row is inside the processor. Rows that are
     * still put into the sink are dropped.
     *
     * @param output returned by {@link #open} or {@link ProcessorWiring#openOutputs}
     */
    void close(EventBatchSink output);
}
