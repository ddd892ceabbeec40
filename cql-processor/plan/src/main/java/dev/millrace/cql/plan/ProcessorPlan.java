package dev.millrace.cql.plan;

import dev.millrace.cql.plan.flow.FlowPlan;
import java.util.List;

/**
 * The plan of all rules of one processor.
 *
 * @param pipelines statements that run as pipelines
 * @param flows     statements that are processed instant by instant, because no pipeline can run them
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
