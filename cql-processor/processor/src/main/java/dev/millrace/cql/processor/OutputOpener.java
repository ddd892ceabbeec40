package dev.millrace.cql.processor;

import dev.millrace.api.stage.EventBatchSink;
import java.util.List;
import java.util.Map;

/** Opens the ways of one thread's rows. */
interface OutputOpener
{
    /**
     * Opens the ways of queries that run as one, or of one query.
     *
     * @param queries ids
     * @return sink of each; those with the same sink may put their rows into one batch
     */
    Map<String, EventBatchSink> open(List<String> queries);
}
