package dev.millrace.cql.planner.pipeline;

import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.PipelinePlan;
import dev.millrace.cql.plan.expression.OrderingConstraint;
import dev.millrace.cql.planner.rule.ColumnOrigin;
import dev.millrace.cql.planner.rule.PlannedRule;
import dev.millrace.cql.planner.rule.RulePipeline;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Fuses rules into pipelines: one tree per channel and ordering, except for statements that are found by an index, and
 * unless there are very many. A view appears once in each tree that reads it. Not thread-safe.
 */
public final class PipelineAssembler
{
    /** Rules with the same values run together. */
    private record Group(String channel, OrderingConstraint ordering, int partitionColumn)
    {
    }

    private final String processorId;
    private final QueryTemplates families = new QueryTemplates();

    public PipelineAssembler(final String processorId)
    {
        this.processorId = processorId;
    }

    public List<PipelinePlan> assemble(final List<PlannedRule> rules)
    {
        final Map<Group, List<PlannedRule>> groups = new LinkedHashMap<>();
        for (final PlannedRule rule : rules)
        {
            if (!rule.rule().view())
            {
                groups.computeIfAbsent(new Group(rule.channel(), rule.ordering(), rule.partitionColumn()),
                    group -> new ArrayList<>()).add(rule);
            }
        }
        final List<PipelinePlan> pipelines = new ArrayList<>();
        groups.forEach((group, queries) ->
            StatementIndexPlanner.apart(new PipelinePlan(
                queries.stream().map(query -> query.rule().id()).collect(Collectors.joining("_")), group.channel(),
                queries.get(0).channelType(), group.ordering(), group.partitionColumn(),
                readersOf(null, queries))).forEach(part -> pipelines.addAll(LargePipelines.split(part))));
        return pipelines;
    }

    /** The operators of all rules that read a view, or the channel, on the paths to the given queries. */
    private List<Operator> readersOf(final PlannedRule view, final List<PlannedRule> queries)
    {
        final Set<PlannedRule> readers = Collections.newSetFromMap(new IdentityHashMap<>());
        final List<Operator> operators = new ArrayList<>();
        for (final PlannedRule query : queries)
        {
            PlannedRule rule = query;
            while (rule != null && rule.view() != view)
            {
                rule = rule.view();
            }
            if (rule != null && readers.add(rule))
            {
                operators.add(rule.flow().build(
                    rule.rule().view() ? readersOf(rule, queries) : List.of(output(rule))));
            }
        }
        return families.of(operators, view == null ? channelOf(queries.get(0).channelType()) : view.flow().lineage());
    }

    private static List<ColumnOrigin> channelOf(final EventType type)
    {
        return IntStream.range(0, type.properties().size())
            .mapToObj(i -> new ColumnOrigin(type, type.properties().get(i).name(), i)).toList();
    }

    private Operator output(final PlannedRule query)
    {
        final RulePipeline flow = query.flow();
        final EventProperty[] properties = new EventProperty[flow.names().size()];
        for (int i = 0; i < properties.length; i++)
        {
            final ColumnOrigin origin = flow.lineage().get(i);
            properties[i] = origin.type() == null
                ? new EventProperty(flow.names().get(i), flow.types().get(i))
                : new EventProperty(flow.names().get(i), flow.types().get(i),
                    origin.type().properties().get(origin.type().indexOf(origin.property())).lengthChars());
        }
        final EventType type = EventType.tuple(processorId + '.' + query.rule().id(), properties);
        return new Operator.Output(query.rule().id(), type, switch (flow.kind())
        {
            case STREAM -> Operator.OutputKind.STREAM;
            case RELATION -> Operator.OutputKind.RELATION;
            case NOW_RELATION -> Operator.OutputKind.NOW_RELATION;
        });
    }
}
