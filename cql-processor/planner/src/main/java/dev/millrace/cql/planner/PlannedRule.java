package dev.millrace.cql.planner;

import dev.millrace.api.event.EventType;
import dev.millrace.cql.language.RuleText;
import dev.millrace.cql.plan.OrderingConstraint;

/**
 * A rule that has been planned by itself. Immutable, its flow is no longer changed.
 *
 * @param rule             as given
 * @param flow             its operators
 * @param channel          channel that feeds it in the end
 * @param channelType      row type of the channel
 * @param view             view that it reads, or {@code null} when it reads the channel
 * @param ordering         ordering constraint
 * @param partitionColumn  column of the channel, or -1
 */
record PlannedRule(
    RuleText rule,
    RuleFlow flow,
    String channel,
    EventType channelType,
    PlannedRule view,
    OrderingConstraint ordering,
    int partitionColumn)
{
}
