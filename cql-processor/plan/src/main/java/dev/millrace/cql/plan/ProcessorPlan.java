package dev.millrace.cql.plan;

import dev.millrace.cql.plan.flow.FlowPlan;
import java.util.List;

/**
 * The plan of all rules of one processor.
 *
 * @param pipelines   what runs
 * @param flows       what runs by instants: statements that no pipeline can run
 * @param domainJoins pairs of char columns that must share a dictionary
 */
public record ProcessorPlan(List<PipelinePlan> pipelines, List<FlowPlan> flows, List<DomainJoin> domainJoins)
{
    /** Copies the lists. */
    public ProcessorPlan
    {
        pipelines = List.copyOf(pipelines);
        flows = List.copyOf(flows);
        domainJoins = List.copyOf(domainJoins);
    }

    /**
     * Two char columns whose values meet: compared with each other, or one copied into the other.
     *
     * @param type          event type of the one
     * @param property      its property
     * @param otherType     event type of the other
     * @param otherProperty its property
     */
    public record DomainJoin(
        dev.millrace.api.event.EventType type,
        String property,
        dev.millrace.api.event.EventType otherType,
        String otherProperty)
    {
    }
}
