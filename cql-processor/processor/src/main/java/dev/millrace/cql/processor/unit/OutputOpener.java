package dev.millrace.cql.processor.unit;

import dev.millrace.api.stage.EventBatchSink;
import java.util.List;
import java.util.Map;

/** Opens the outputs for the rows of a single thread. */
public interface OutputOpener
{
    /**
     * Opens the outputs of queries that run as one, or of one query.
     *
     * @param queries ids of the queries
     * @return sink of each query; queries with the same sink may write their rows to one batch
     */
    Map<String, EventBatchSink> open(List<String> queries);
}
