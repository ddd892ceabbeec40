package dev.millrace.cql.compiler.unit;

import dev.millrace.cql.plan.flow.FlowNode;
import java.util.List;

/**
 * What reads an operator.
 *
 * @param calcs    filters and projections on the way, in the order of rows
 * @param consumer what the rows come to
 */
record Edge(List<FlowNode.Calc> calcs, ConsumerCode consumer)
{
}
