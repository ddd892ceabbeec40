package dev.millrace.cql.compiler;

import dev.millrace.cql.plan.PipelinePlan;

/** Writes the text of a pipeline's class. */
final class PipelineGenerator
{
    private final PipelinePlan plan;

    PipelineGenerator(final PipelinePlan plan, final String packageName, final String simpleName)
    {
        this.plan = plan;
    }

    String generate()
    {
        throw new PlanNotSupportedException("CQL-0900", "no generator yet, pipeline=" + plan.name());
    }

    Object[] constants()
    {
        return new Object[0];
    }
}
