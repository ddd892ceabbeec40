package dev.millrace.cql.processor;

import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.PipelinePlan;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.plan.flow.WindowSpec;
import dev.millrace.cql.processor.unit.ExecutionUnit;
import dev.millrace.cql.processor.unit.PlanSplitter;
import dev.millrace.cql.processor.worker.PipelineInstance;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Describes the state of a query in words. */
final class StateDescription
{
    /** Marks a pattern whose rows are counted. */
    private static final String SEQUENCE = "sequence";

    private StateDescription()
    {
    }

    /**
     * Describes the state that is lost when a query is removed.
     *
     * @param unit  unit that runs it
     * @param query its id
     * @return description; empty if it has no state
     */
    static String of(final ExecutionUnit unit, final String query)
    {
        final Set<String> words = new LinkedHashSet<>();
        if (unit.isPipeline())
        {
            final PipelinePlan plan = PlanSplitter.of(unit.pipeline(), Set.of(query));
            collect(plan.roots(), words);
            final boolean counted = words.contains("window") || words.remove(SEQUENCE);
            return String.join(", ", words) + (counted ? rows(countedRows(unit)) : "");
        }
        for (final FlowPlan.Output output : PlanSplitter.of(unit.flowPlan(), Set.of(query)).outputs())
        {
            FlowNode.upstream(output.input()).forEach(node -> collect(node, words));
        }
        return words.isEmpty() ? "" : String.join(", ", words) + rows(unit.flow().stateSize());
    }

    /**
     * Describes the state that a query has when it runs.
     *
     * @param plan a pipeline or flow of this query only
     * @return description without numbers of rows; empty if it has no state
     */
    static String of(final Record plan)
    {
        final Set<String> words = new LinkedHashSet<>();
        if (plan instanceof PipelinePlan pipeline)
        {
            collect(pipeline.roots(), words);
            words.remove(SEQUENCE);
        }
        else
        {
            ((FlowPlan)plan).outputs().forEach(output ->
                FlowNode.upstream(output.input()).forEach(node -> collect(node, words)));
        }
        return String.join(", ", words);
    }

    private static String rows(final long count)
    {
        return " (" + count + " rows)";
    }

    /** Rows in windows and sequences of a pipeline, independent of the query that reads them. */
    private static long countedRows(final ExecutionUnit unit)
    {
        long rows = 0;
        for (final PipelineInstance instance : unit.instances())
        {
            for (final Map.Entry<?, ?> each : ((Map<?, ?>)instance.statistics().get("state")).entrySet())
            {
                rows += each.getKey().toString().endsWith(".rows") ? ((Number)each.getValue()).longValue() : 0;
            }
        }
        return rows;
    }

    private static void collect(final List<Operator> operators, final Set<String> words)
    {
        for (final Operator operator : operators)
        {
            if (operator instanceof Operator.FixedPattern)
            {
                words.add("pattern");
            }
            else if (operator instanceof Operator.SequencePattern)
            {
                words.add("pattern");
                words.add(SEQUENCE);
            }
            else if (operator instanceof Operator.GroupedAggregate)
            {
                words.add("groups");
            }
            else if (operator instanceof Operator.WindowIStream)
            {
                words.add("window");
            }
            else if (operator instanceof Operator.WindowAggregate)
            {
                words.add("window");
                words.add("groups");
            }
            collect(operator.consumers(), words);
        }
    }

    private static void collect(final FlowNode node, final Set<String> words)
    {
        if (node instanceof FlowNode.Window window)
        {
            if (!(window.window() instanceof WindowSpec.Now || window.window() instanceof WindowSpec.Unbounded))
            {
                words.add("window");
            }
        }
        else if (node instanceof FlowNode.Source source)
        {
            if (source.relation())
            {
                words.add("relation");
            }
        }
        else if (node instanceof FlowNode.Group)
        {
            words.add("groups");
        }
        else if (node instanceof FlowNode.Match)
        {
            words.add("pattern");
        }
        else if (node instanceof FlowNode.Join)
        {
            words.add("join");
        }
        else if (node instanceof FlowNode.Distinct || node instanceof FlowNode.TopN ||
            node instanceof FlowNode.Evaluate || node instanceof FlowNode.SetOperation set &&
            set.kind() != FlowNode.SetKind.UNION_ALL)
        {
            words.add("rows of the result");
        }
    }
}
