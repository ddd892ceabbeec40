package dev.millrace.network;

import dev.millrace.api.cache.Cache;
import dev.millrace.api.memory.MemoryBudget;
import dev.millrace.api.memory.MemoryScope;
import dev.millrace.api.stage.StatisticsSource;
import dev.millrace.network.condition.Condition;
import dev.millrace.network.lane.StageRuntime;
import dev.millrace.network.recording.Recordings;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Collects the statistics of a network. Thread-safe. */
final class NetworkStatistics
{
    private final RunningStages running;
    private final Recordings recordings;
    private final List<MemoryScope> memory;

    /** @param memory scopes of all versions of the network; more may be added, and any thread may read the list */
    NetworkStatistics(final RunningStages running, final Recordings recordings, final List<MemoryScope> memory)
    {
        this.running = running;
        this.recordings = recordings;
        this.memory = memory;
    }

    /**
     * The current statistics, see {@link Network#statistics()}.
     *
     * @param conditions causes of the state
     */
    Map<String, Object> collect(final NetworkState state, final List<Condition> conditions)
    {
        final Map<String, Object> result = new LinkedHashMap<>();
        result.put("application", running.application());
        result.put("state", state.name());
        result.put("causes", conditions.stream().map(Condition::toMap).toList());
        result.put("stages", stages());
        result.put("caches", caches());
        result.put("memory", memory.stream().flatMap(scope -> scope.usages().stream())
            .sorted(Comparator.comparingLong(MemoryBudget.Usage::bytes).reversed())
            .map(NetworkStatistics::describe).toList());
        return result;
    }

    private List<Map<String, Object>> stages()
    {
        final List<Map<String, Object>> all = new ArrayList<>();
        for (final StageRuntime stage : running.all())
        {
            final Map<String, Object> figures = new LinkedHashMap<>();
            figures.put("id", stage.definition().id());
            figures.put("kind", stage.kind());
            figures.putAll(stage.meter().figures());
            stage.describe(figures);
            final Map<String, Object> recording = recordings.figures(stage.definition().id());
            if (recording != null)
            {
                figures.put("recording", recording);
            }
            all.add(figures);
        }
        return all;
    }

    private List<Map<String, Object>> caches()
    {
        final List<Map<String, Object>> all = new ArrayList<>();
        for (final Cache cache : running.definition().caches())
        {
            final Map<String, Object> figures = new LinkedHashMap<>();
            figures.put("id", cache.id());
            figures.put("size", cache.size());
            if (cache instanceof final StatisticsSource source)
            {
                figures.putAll(source.statistics());
            }
            all.add(figures);
        }
        return all;
    }

    private static Map<String, Object> describe(final MemoryBudget.Usage usage)
    {
        final Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("stage", usage.holder().stage());
        figures.put("rule", usage.holder().rule());
        figures.put("part", usage.holder().part());
        figures.put("bytes", usage.bytes());
        return figures;
    }
}
