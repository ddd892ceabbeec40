package dev.millrace.cql.planner.rule;

import dev.millrace.api.event.EventType;
import dev.millrace.cql.language.problem.RuleText;
import dev.millrace.cql.plan.expression.OrderingConstraint;

/**
 * A rule that is planned separately. Immutable; its flow no longer changes.
 *
 * @param rule            rule as given
 * @param flow            its operators
 * @param channel         channel at the start of its chain of views
 * @param channelType     row type of the channel
 * @param view            view that it reads, or {@code null} if it reads the channel
 * @param partitionColumn column of the channel, or -1
 */
public record PlannedRule(
    RuleText rule,
    RulePipeline flow,
    String channel,
    EventType channelType,
    PlannedRule view,
    OrderingConstraint ordering,
    int partitionColumn)
{
}
