package dev.millrace.cql.processor.unit;

import dev.millrace.cql.compiler.flow.CompiledFlow;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.planner.ordering.TwoPhasePlanner;

/**
 * A compiled flow; it has two steps if one engine combines the output of several.
 *
 * @param plan    flow as planned
 * @param first   the whole flow, or the part that several engines compute in parallel
 * @param steps   the two steps; {@code null} if there is only one
 * @param merging the part that one engine computes from the output of the others; {@code null} if there is only one
 *     step
 */
public record TwoPhaseFlow(FlowPlan plan, CompiledFlow first, TwoPhasePlanner steps, CompiledFlow merging)
{
}
