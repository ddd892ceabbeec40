package dev.millrace.cql.processor;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.stage.EventBatchSink;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * A group of pipelines, or a source of a flow, that receives recorded batches instead of those of a channel.
 *
 * @param group   name of the group in records
 * @param channel channel whose rows it receives
 * @param schema  of the channel
 * @param reads   the columns that its rules read, by index
 * @param queries ids of its queries
 * @param caches  ids of the caches that its rules join
 * @param tables  names of the tables that its rules join
 * @param sink    receives batches, which are lent for the call
 */
public record ReplayInput(
    String group, String channel, BatchSchema schema, IntPredicate reads, Set<String> queries, Set<String> caches,
    Set<String> tables, EventBatchSink sink)
{
}
