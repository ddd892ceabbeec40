package dev.millrace.cql.processor;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.cql.plan.OrderingConstraint;

/**
 * What lets pipelines of a channel travel together.
 *
 * @param channel         id
 * @param ordering        of the pipelines
 * @param partitionColumn of the pipelines, -1 for none
 * @param schema          of the channel
 */
record GroupKey(String channel, OrderingConstraint ordering, int partitionColumn, BatchSchema schema)
{
}
