package dev.millrace.cql.processor.unit;

import dev.millrace.cql.plan.Operator.OutputKind;
import dev.millrace.cql.processor.worker.GroupKey;
import dev.millrace.cql.processor.worker.PipelineGroup;
import dev.millrace.cql.processor.worker.PipelineInstance;
import dev.millrace.cql.processor.worker.Worker;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Groups the units of a processor that receive rows together; a group whose units stay the same remains the same
 * object, with its rings. Confined to the thread that starts the processor or changes its rules.
 */
public final class PipelineGroups
{
    private Map<GroupKey, Built> pipelines = new HashMap<>();

    /** A group and its units. */
    private record Built(List<ExecutionUnit> units, PipelineGroup group)
    {
    }

    /**
     * The current groups, by the channel that feeds them.
     *
     * @param units all running units
     */
    public Map<String, List<PipelineGroup>> of(final List<ExecutionUnit> units)
    {
        final Map<GroupKey, List<ExecutionUnit>> byKey = new LinkedHashMap<>();
        units.stream().filter(ExecutionUnit::isPipeline)
            .forEach(unit -> byKey.computeIfAbsent(unit.key(), key -> new ArrayList<>()).add(unit));
        final Map<GroupKey, Built> next = new HashMap<>();
        final Map<String, List<PipelineGroup>> groups = new LinkedHashMap<>();
        byKey.forEach((key, members) ->
        {
            final Built before = pipelines.get(key);
            final Built built = before != null && before.units().equals(members) ? before :
                new Built(members, group(key, members));
            next.put(key, built);
            groups.computeIfAbsent(key.channel(), channel -> new ArrayList<>()).add(built.group());
        });
        for (final ExecutionUnit unit : units)
        {
            for (int i = 0; i < unit.flowGroups().size(); i++)
            {
                groups.computeIfAbsent(unit.flowPlan().sources().get(i).name(), channel -> new ArrayList<>())
                    .add(unit.flowGroups().get(i));
            }
        }
        pipelines = next;
        return groups;
    }

    private static PipelineGroup group(final GroupKey key, final List<ExecutionUnit> units)
    {
        final boolean timeDriven = units.stream().flatMap(unit -> unit.pipeline().outputs().stream())
            .anyMatch(output -> output.kind() == OutputKind.NOW_RELATION);
        final List<Worker> runners = units.get(0).runners();
        final List<PipelineGroup.Member> members = new ArrayList<>();
        for (int i = 0; i < runners.size(); i++)
        {
            final int runner = i;
            members.add(new PipelineGroup.Member(runners.get(i), units.stream()
                .map(unit -> unit.instances().get(runner)).toArray(PipelineInstance[]::new)));
        }
        return new PipelineGroup(key.channel() + ' ' + key.ordering() + ' ' + key.partitionColumn(), key.ordering(),
            key.partitionColumn(), timeDriven, key.schema(), members);
    }
}
