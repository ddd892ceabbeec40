package dev.millrace.network.recording;

import dev.millrace.api.time.Clock;
import dev.millrace.network.condition.Condition;
import dev.millrace.network.condition.RaisedConditions;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.NetworkDefinition;
import dev.millrace.network.definition.RecordingSettings;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.network.lane.StageRuntime;
import dev.millrace.network.spi.EventStore;
import dev.millrace.network.topology.NetworkErrorCode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The recordings of a network: at most one for each stage. Started and stopped by one managing thread at a time;
 * figures and conditions may be read by any thread.
 */
public final class Recordings
{
    private final String application;
    private final Map<String, RecordingSettings> configured = new LinkedHashMap<>();
    private final EventStore store;
    private final Clock clock;
    private final Map<String, StageRecorder> recorders = new ConcurrentHashMap<>();
    private final Map<String, RaisedConditions> conditions = new ConcurrentHashMap<>();

    /** @param store {@code null} if the server has none */
    public Recordings(final NetworkDefinition definition, final EventStore store, final Clock clock)
    {
        application = definition.applicationName();
        definition.recordings().forEach(settings -> configured.put(settings.stage(), settings));
        this.store = store;
        this.clock = clock;
    }

    /** The configuration of a stage's recording; {@code null} if it has none. */
    public RecordingSettings configured(final String stage)
    {
        return configured.get(stage);
    }

    /** Starts the recordings that are configured to start with the application; called before rows flow. */
    public void startConfigured(final List<StageRuntime> stages)
    {
        for (final StageRuntime stage : stages)
        {
            final RecordingSettings settings = configured.get(stage.definition().id());
            if (settings != null && settings.range() != null)
            {
                recorder(stage, settings).start();
            }
        }
    }

    private StageRecorder recorder(final StageRuntime stage, final RecordingSettings settings)
    {
        final String id = stage.definition().id();
        final StageRecorder recorder = new StageRecorder(application, stage, store, clock,
            conditions.computeIfAbsent(id, key -> new RaisedConditions(key, clock)), settings);
        recorders.put(id, recorder);
        return recorder;
    }

    /**
     * Starts the recording of a stage, while no row is in transit.
     *
     * @param settings what to record; checked
     * @throws DeploymentException if the stage is being recorded, or the dataset cannot be opened
     */
    public void start(final StageRuntime stage, final RecordingSettings settings) throws DeploymentException
    {
        final StageRecorder before = recorders.get(settings.stage());
        if (before != null)
        {
            final Object state = before.figures().get("state");
            if (List.of("RECORDING", "WAITING").contains(state))
            {
                throw new DeploymentException(NetworkErrorCode.RECORDING, SourcePosition.NONE,
                    "the stage is already being recorded, stage=" + settings.stage() + " dataset=" +
                        before.settings().dataset() + " state=" + state, "stop that recording first");
            }
            before.stop();
        }
        final StageRecorder recorder = recorder(stage, settings);
        recorder.start();
        if (recorder.failure() != null)
        {
            recorder.stop();
            throw new DeploymentException(NetworkErrorCode.RECORDING, SourcePosition.NONE,
                "the stage cannot be recorded, stage=" + settings.stage() + " dataset=" + settings.dataset() +
                    " cause=" + recorder.failure(), "correct the cause, then start recording again");
        }
    }

    /**
     * Stops the recording of a stage, while no row is in transit.
     *
     * @return false if it was not being recorded
     */
    public boolean stop(final String stage)
    {
        final StageRecorder recorder = recorders.get(stage);
        if (recorder != null)
        {
            recorder.stop();
        }
        return recorder != null;
    }

    /** State and figures of the recording of a stage; {@code null} if it has none. Thread-safe. */
    public Map<String, Object> figures(final String stage)
    {
        final StageRecorder recorder = recorders.get(stage);
        if (recorder != null)
        {
            return recorder.figures();
        }
        final RecordingSettings settings = configured.get(stage);
        if (settings == null)
        {
            return null;
        }
        final Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("state", "IDLE");
        figures.put("dataset", settings.dataset());
        figures.put("eventTypes", settings.eventTypes());
        return figures;
    }

    /** Recordings that have failed or are delayed. Thread-safe. */
    public List<Condition> conditions()
    {
        recorders.values().forEach(StageRecorder::refreshConditions);
        return conditions.values().stream().flatMap(each -> each.list().stream()).toList();
    }

    /** Ends all recordings; called when no row can arrive any more. */
    public void close()
    {
        for (final StageRecorder recorder : recorders.values())
        {
            recorder.close();
        }
    }
}
