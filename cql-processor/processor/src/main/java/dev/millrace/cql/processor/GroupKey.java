package dev.millrace.cql.processor;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.cql.plan.OrderingConstraint;

/**
 * Pipelines of a channel with equal keys receive its rows together.
 *
 * @param channel         channel id
 * @param ordering        ordering constraint of the pipelines
 * @param partitionColumn partition column of the pipelines, -1 for none
 */
record GroupKey(String channel, OrderingConstraint ordering, int partitionColumn, BatchSchema schema)
{
}
