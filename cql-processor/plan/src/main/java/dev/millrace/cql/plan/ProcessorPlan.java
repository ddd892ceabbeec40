package dev.millrace.cql.plan;

import dev.millrace.cql.plan.flow.FlowPlan;
import java.util.List;

/**
 * The plan of all rules of one processor.
 *
 * @param pipelines what runs
 * @param flows     what runs by instants: statements that no pipeline can run
 */
public record ProcessorPlan(List<PipelinePlan> pipelines, List<FlowPlan> flows)
{
    /** Copies the lists. */
    public ProcessorPlan
    {
        pipelines = List.copyOf(pipelines);
        flows = List.copyOf(flows);
    }
}
