package dev.millrace.cql.processor;

import dev.millrace.api.event.EventType;
import dev.millrace.cql.plan.Operator.OutputKind;
import dev.millrace.cql.plan.PipelinePlan;
import dev.millrace.cql.plan.ProcessorPlan;
import dev.millrace.cql.plan.UniqueColumns;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.spi.QueryOutput;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The outputs of planned rules. Stateless. */
final class PlanOutputs
{
    private PlanOutputs()
    {
    }

    /** The outputs of a plan, in order of the rules. */
    static List<QueryOutput> of(final ProcessorStage definition, final ProcessorPlan plan)
    {
        final Map<String, Integer> order = new HashMap<>();
        definition.rules().forEach(rule -> order.putIfAbsent(rule.id(), order.size()));
        final Stream<QueryOutput> ofPipelines = plan.pipelines().stream().flatMap(PlanOutputs::of);
        final Stream<QueryOutput> ofFlows = plan.flows().stream()
            .flatMap(flow -> flow.outputs().stream())
            .map(output -> new QueryOutput(output.queryId(), output.type(), !output.stream(), output.stream() ? null :
                UniqueColumns.of(output.input()).map(columns -> names(output.type(), columns)).orElse(null)));
        return Stream.concat(ofPipelines, ofFlows)
            .sorted(Comparator.comparingInt((QueryOutput output) -> order.getOrDefault(output.queryId(), order.size())))
            .toList();
    }

    private static Stream<QueryOutput> of(final PipelinePlan pipeline)
    {
        final Map<String, Set<Integer>> unique = UniqueColumns.of(pipeline);
        return pipeline.outputs().stream().map(output -> new QueryOutput(output.queryId(), output.type(),
            output.kind() != OutputKind.STREAM, unique.containsKey(output.queryId()) ?
            names(output.type(), unique.get(output.queryId())) : null));
    }

    private static Set<String> names(final EventType type, final Set<Integer> columns)
    {
        return columns.stream().map(column -> type.properties().get(column).name()).collect(Collectors.toSet());
    }
}
