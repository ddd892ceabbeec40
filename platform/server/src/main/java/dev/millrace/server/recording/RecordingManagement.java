package dev.millrace.server.recording;

import dev.millrace.network.Network;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.network.spi.EventStore;
import dev.millrace.network.topology.NetworkErrorCode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Starts and stops recordings and playbacks of networks, and describes the datasets. Thread-safe. */
public final class RecordingManagement
{
    /** There is no dataset of that name: look at the list. */
    public static final String NO_DATASET = Datasets.NO_DATASET;

    /** {@code null} if the server has no event store; then no class of journals is loaded. */
    private final Datasets datasets;

    /** @param store {@code null} if the server has none */
    public RecordingManagement(final EventStore store)
    {
        datasets = store == null ? null : new Datasets(store);
    }

    /** State and figures of the recordings and playbacks of an application. */
    public Map<String, Object> status(final String application, final Network network)
    {
        final Map<String, Object> map = new LinkedHashMap<>();
        map.put("application", application);
        map.put("stages", network.recordings().figures());
        return map;
    }

    /**
     * Starts to record a stage.
     *
     * @throws DeploymentException with all problems; nothing has changed
     */
    public void startRecording(final Network network, final String stage, final RecordingRequest request)
        throws DeploymentException
    {
        network.recordings().startRecording(request.recording(stage, network.recordings().configuredRecording(stage)));
    }

    /**
     * Stops to record a stage.
     *
     * @throws DeploymentException if it is not recorded
     */
    public void stopRecording(final Network network, final String stage) throws DeploymentException
    {
        if (!network.recordings().stopRecording(stage))
        {
            throw new DeploymentException(NetworkErrorCode.RECORDING, SourcePosition.NONE,
                "the stage is not being recorded, stage=" + stage, "record status shows the recordings");
        }
    }

    /**
     * Starts to play a dataset back.
     *
     * @throws DeploymentException with all problems; nothing has changed
     */
    public void startPlayback(final Network network, final String stage, final RecordingRequest request)
        throws DeploymentException
    {
        network.recordings().startPlayback(request.playback(stage, network.recordings().configuredPlayback(stage)));
    }

    /**
     * Stops a playback.
     *
     * @throws DeploymentException if nothing is being played back
     */
    public void stopPlayback(final Network network, final String stage) throws DeploymentException
    {
        if (!network.recordings().stopPlayback(stage))
        {
            throw new DeploymentException(NetworkErrorCode.PLAYBACK, SourcePosition.NONE,
                "the stage is not playing back, stage=" + stage, "playback status shows the playbacks");
        }
    }

    /**
     * Describes all datasets.
     *
     * @throws DeploymentException if the server has no event store
     */
    public List<Map<String, Object>> datasets() throws DeploymentException
    {
        return existing().describe();
    }

    /**
     * Deletes a dataset.
     *
     * @throws DeploymentException if there is no such dataset, a stage records into it, or it cannot be deleted
     */
    public Map<String, Object> delete(final String dataset) throws DeploymentException
    {
        existing().delete(dataset);
        return Map.of("dataset", dataset);
    }

    private Datasets existing() throws DeploymentException
    {
        if (datasets == null)
        {
            throw new DeploymentException(NetworkErrorCode.NO_EVENT_STORE, SourcePosition.NONE,
                "the server has no event store", "add <event-store><name>events</name></event-store> to " +
                    "config/config.xml of the domain and restart the server");
        }
        return datasets;
    }
}
