package dev.millrace.cql.processor;

import dev.millrace.cql.compiler.flow.CompiledFlow;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.planner.FlowSteps;

/**
 * A compiled flow, in two steps where one engine puts together what several put out.
 *
 * @param plan    the flow as planned
 * @param first   all of it, which may run in order all the same, or what several engines compute beside each other
 * @param steps   the two steps; {@code null} when there is one
 * @param merging what one engine computes of what the others put out; {@code null} when there is one step
 */
record CompiledSteps(FlowPlan plan, CompiledFlow first, FlowSteps steps, CompiledFlow merging)
{
}
