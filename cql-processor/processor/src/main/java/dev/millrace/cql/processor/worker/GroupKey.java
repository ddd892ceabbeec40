package dev.millrace.cql.processor.worker;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.cql.plan.expression.OrderingConstraint;

/**
 * Pipelines of a channel with equal keys receive its rows together.
 *
 * @param channel         channel id
 * @param ordering        ordering constraint of the pipelines
 * @param partitionColumn partition column of the pipelines, -1 for none
 */
public record GroupKey(String channel, OrderingConstraint ordering, int partitionColumn, BatchSchema schema)
{
}
