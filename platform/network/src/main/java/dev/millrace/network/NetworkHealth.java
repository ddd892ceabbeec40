package dev.millrace.network;

import dev.millrace.api.time.Clock;
import dev.millrace.network.condition.CallMonitor.OpenCall;
import dev.millrace.network.condition.Condition;
import dev.millrace.network.definition.BeanStage;
import dev.millrace.network.lane.StageRuntime;
import dev.millrace.network.recording.Playbacks;
import dev.millrace.network.recording.Recordings;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Derives the health of a running network from its stages. Thread-safe. */
final class NetworkHealth
{
    private static final String OPEN_CALL = "EPN-0631";
    private static final Logger LOG = LoggerFactory.getLogger(NetworkHealth.class);

    private final RunningStages running;
    private final Recordings recordings;
    private final Clock clock;
    /** Conditions that were logged, by stage and code. Guarded by {@code this}. */
    private Map<String, Condition> logged = Map.of();

    NetworkHealth(final RunningStages running, final Recordings recordings, final Clock clock)
    {
        this.running = running;
        this.recordings = recordings;
        this.clock = clock;
    }

    /** The health of a network that was started and not suspended. */
    NetworkState state()
    {
        // A playback that waits is no source that works.
        final List<StageRuntime> now = running.all().stream()
            .filter(stage -> !(stage.definition() instanceof BeanStage bean) || !Playbacks.isPlayback(bean.instance()))
            .toList();
        final List<StageRuntime> failed = now.stream().filter(stage -> stage.failure() != null).toList();
        final boolean anySource = now.stream().anyMatch(StageRuntime::isSource);
        final boolean sourceWorks = now.stream().anyMatch(stage -> stage.isSource() && stage.failure() == null);
        if (!failed.isEmpty() && (!anySource || !sourceWorks))
        {
            return NetworkState.FAILED;
        }
        return conditions().isEmpty() ? NetworkState.RUNNING : NetworkState.DEGRADED;
    }

    List<Condition> conditions()
    {
        final long nowNs = clock.epochNs();
        final List<StageRuntime> now = running.all();
        final Map<StageRuntime, List<OpenCall>> openCalls = openCalls(now, nowNs);
        final List<Condition> all = new ArrayList<>();
        for (final StageRuntime stage : now)
        {
            all.addAll(stage.conditions(nowNs));
            for (final OpenCall call : openCalls.getOrDefault(stage, List.of()))
            {
                all.add(new Condition(stage.definition().id(), OPEN_CALL, "the stage has not returned from a call " +
                    "for " + TimeUnit.NANOSECONDS.toSeconds(nowNs - call.sinceNs()) + " s, thread=" +
                    call.thread().getName() + " at=" + call.frames(), call.sinceNs(), 1));
            }
        }
        running.definition().stores().forEach(store -> all.addAll(store.list()));
        all.addAll(recordings.conditions());
        return all;
    }

    /** Only the innermost open call is reported: a call that waits for a stage below is skipped. */
    private static Map<StageRuntime, List<OpenCall>> openCalls(final List<StageRuntime> stages, final long nowNs)
    {
        final Map<StageRuntime, List<OpenCall>> result = new LinkedHashMap<>();
        final Set<Thread> named = new HashSet<>();
        for (int i = stages.size() - 1; i >= 0; i--)
        {
            result.put(stages.get(i), stages.get(i).openCalls(nowNs).stream().filter(call -> named.add(call.thread()))
                .toList());
        }
        return result;
    }

    /** Logs conditions that were raised or cleared since the last call. */
    synchronized void inspect()
    {
        final Map<String, Condition> now = new LinkedHashMap<>();
        conditions().forEach(condition -> now.put(condition.stage() + ' ' + condition.code(), condition));
        now.forEach((key, condition) ->
        {
            if (!logged.containsKey(key))
            {
                LOG.warn("application DEGRADED, application={} stage={} cause={} {}",
                    running.application(), condition.stage(), condition.code(), condition.text());
            }
        });
        logged.forEach((key, condition) ->
        {
            if (!now.containsKey(key))
            {
                LOG.info("cause cleared, application={} stage={} cause={} remaining={}",
                    running.application(), condition.stage(), condition.code(), now.size());
            }
        });
        logged = now;
    }
}
