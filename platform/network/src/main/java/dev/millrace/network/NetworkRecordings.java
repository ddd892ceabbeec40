package dev.millrace.network;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.PlaybackSettings;
import dev.millrace.network.definition.RecordingSettings;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.network.definition.StageDefinition;
import dev.millrace.network.lane.Deadline;
import dev.millrace.network.lane.StageRuntime;
import dev.millrace.network.recording.Playbacks;
import dev.millrace.network.recording.Recordings;
import dev.millrace.network.recording.StagePlayback;
import dev.millrace.network.spi.EventStore;
import dev.millrace.network.topology.NetworkErrorCode;
import dev.millrace.network.wiring.RecordingCheck;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Recordings and playbacks of the stages of a network. Methods may be called from any thread; changes are serialized
 * with the life cycle of the network.
 */
public final class NetworkRecordings
{
    /** Held while the network changes. */
    private final Object lock;
    private final RunningStages running;
    private final Recordings recordings;
    private final Playbacks playbacks;
    private final EventStore store;
    private final long drainNs;

    /**
     * @param store   {@code null} if the server has none
     * @param drainNs time limit for rows in the network to be processed
     */
    NetworkRecordings(final Object lock, final RunningStages running, final Recordings recordings,
        final Playbacks playbacks, final EventStore store, final long drainNs)
    {
        this.lock = lock;
        this.running = running;
        this.recordings = recordings;
        this.playbacks = playbacks;
        this.store = store;
        this.drainNs = drainNs;
    }

    /**
     * Starts to record a stage.
     *
     * @param settings what to record
     * @throws DeploymentException if the settings are wrong, the stage is being recorded, or the dataset cannot be
     *     opened
     */
    public void startRecording(final RecordingSettings settings) throws DeploymentException
    {
        synchronized (lock)
        {
            refuseStopped(NetworkErrorCode.RECORDING);
            RecordingCheck.check(settings, running.definition(), store);
            whileHeld(() -> recordings.start(running.of(settings.stage()), settings));
        }
    }

    /**
     * Stops recording a stage.
     *
     * @return false if it was not being recorded
     * @throws DeploymentException if rows in the network are not processed in time
     */
    public boolean stopRecording(final String stageId) throws DeploymentException
    {
        synchronized (lock)
        {
            final boolean[] isStopped = {false};
            if (running.phase() != NetworkState.STOPPED)
            {
                whileHeld(() -> isStopped[0] = recordings.stop(stageId));
            }
            return isStopped[0];
        }
    }

    /**
     * Returns the configured recording of a stage.
     *
     * @return {@code null} if it has none
     */
    public RecordingSettings configuredRecording(final String stageId)
    {
        return recordings.configured(stageId);
    }

    /**
     * Starts to play back a dataset.
     *
     * @param settings what to play back
     * @throws DeploymentException if the settings are wrong, the stage is playing back, or has no playback-parameters
     */
    public void startPlayback(final PlaybackSettings settings) throws DeploymentException
    {
        synchronized (lock)
        {
            refuseStopped(NetworkErrorCode.PLAYBACK);
            RecordingCheck.check(settings, running.definition(), store);
            if (playbacks.of(settings.stage()) == null)
            {
                throw new DeploymentException(NetworkErrorCode.PLAYBACK, SourcePosition.NONE,
                    "the stage is not configured for playback, stage=" + settings.stage(), "add <playback-parameters>" +
                        "<dataset-name>" + settings.dataset() + "</dataset-name></playback-parameters> to its " +
                        "configuration: the lanes of a playback are built with the network");
            }
            playbacks.of(settings.stage()).start(settings);
        }
    }

    /**
     * Stops the playback of a stage.
     *
     * @return false if none was being played
     */
    public boolean stopPlayback(final String stageId)
    {
        return playbacks.of(stageId) != null && playbacks.of(stageId).stop();
    }

    /**
     * Returns the configured playback of a stage.
     *
     * @return {@code null} if it has none
     */
    public PlaybackSettings configuredPlayback(final String stageId)
    {
        return playbacks.of(stageId) == null ? null : playbacks.of(stageId).configured();
    }

    /**
     * Returns state and figures of recordings and playbacks: {@code stage}, and {@code recording} or {@code playback}.
     * Thread-safe.
     *
     * @return in the order of the stages; stages without are left out
     */
    public List<Map<String, Object>> figures()
    {
        final List<Map<String, Object>> all = new ArrayList<>();
        for (final StageDefinition stage : running.definition().stages())
        {
            final Map<String, Object> recording = recordings.figures(stage.id());
            final StagePlayback playback = playbacks.of(stage.id());
            if (recording != null)
            {
                all.add(Map.of("stage", stage.id(), "recording", recording));
            }
            if (playback != null)
            {
                all.add(Map.of("stage", stage.id(), "playback", playback.statistics()));
            }
        }
        return all;
    }

    private void refuseStopped(final String code) throws DeploymentException
    {
        final NetworkState phase = running.phase();
        if (phase == NetworkState.STOPPED || phase == NetworkState.READY)
        {
            throw new DeploymentException(code, SourcePosition.NONE, "the network is not running, application=" +
                running.application(), "start the application");
        }
    }

    /** A change of the lanes that can fail. */
    private interface LaneChange
    {
        void run() throws DeploymentException;
    }

    /** Changes lanes while no row is in transit: rows wait where they enter the network. */
    private void whileHeld(final LaneChange change) throws DeploymentException
    {
        final Deadline deadline = Deadline.afterNs(drainNs);
        try
        {
            boolean isHeld = running.heartbeats().hold(deadline);
            for (final StageRuntime stage : running.all())
            {
                isHeld = isHeld && stage.hold(deadline);
            }
            if (!isHeld)
            {
                throw new DeploymentException(NetworkErrorCode.RECORDING, SourcePosition.NONE,
                    "rows inside the network were not processed in time, application=" + running.application(),
                    "try again; app status shows a stage that does not return");
            }
            change.run();
        }
        finally
        {
            running.all().forEach(StageRuntime::letGo);
            running.heartbeats().letGo();
        }
    }
}
