package dev.millrace.network.spi;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.DictionaryDomains;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.spi.PlannedProcessor.QueryOutput;
import java.util.List;

/** Where the rows of queries go that start and end while the network runs. For the thread that makes the change. */
public interface LiveOutputs
{
    /**
     * Checks that the channels below that take a query's rows can take them, and joins the domains of their char
     * columns.
     *
     * @param output  a query that is to start
     * @param domains know the output's type, which joins them last
     * @return false when a char column would have to share the dictionaries of columns that do not share one
     * @throws DeploymentException with what does not fit, and what the channel takes
     */
    boolean join(QueryOutput output, DictionaryDomains domains) throws DeploymentException;

    /**
     * The channels below that take a query's rows.
     *
     * @param queryId id
     * @return their ids; empty when selectors leave the query out everywhere
     */
    List<String> takers(String queryId);

    /**
     * Opens the way of one thread's rows of a query; called while no row is inside the processor.
     *
     * @param queryId id
     * @param schema  shape of the rows
     * @return sink for one thread
     */
    EventBatchSink open(String queryId, BatchSchema schema);

    /**
     * Ends the way of a query's rows; called while no row is inside the processor. What is still put into the sink is
     * dropped.
     *
     * @param output what {@link #open} or {@link ProcessorWiring#openOutput} gave
     */
    void close(EventBatchSink output);
}
