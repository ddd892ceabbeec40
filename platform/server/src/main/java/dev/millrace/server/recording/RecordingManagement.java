package dev.millrace.server.recording;

import dev.millrace.journal.JournalException;
import dev.millrace.network.Network;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.network.definition.TimeRange;
import dev.millrace.network.recording.DatasetSummary;
import dev.millrace.network.recording.JournalEventStore;
import dev.millrace.network.topology.NetworkErrorCode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Starts and stops recordings and playbacks of networks, and describes the datasets. Thread-safe. */
public final class RecordingManagement
{
    /** There is no dataset of that name. */
    public static final String NO_DATASET = "SRV-0510";

    private final JournalEventStore store;

    /** @param store {@code null} if the server has none */
    public RecordingManagement(final JournalEventStore store)
    {
        this.store = store;
    }

    /** State and figures of the recordings and playbacks of an application. */
    public Map<String, Object> status(final String application, final Network network)
    {
        final Map<String, Object> map = new LinkedHashMap<>();
        map.put("application", application);
        map.put("stages", network.recordingFigures());
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
        network.startRecording(request.recording(stage, network.configuredRecording(stage)));
    }

    /**
     * Stops to record a stage.
     *
     * @throws DeploymentException if it is not recorded
     */
    public void stopRecording(final Network network, final String stage) throws DeploymentException
    {
        if (!network.stopRecording(stage))
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
        network.startPlayback(request.playback(stage, network.configuredPlayback(stage)));
    }

    /**
     * Stops a playback.
     *
     * @throws DeploymentException if nothing is being played back
     */
    public void stopPlayback(final Network network, final String stage) throws DeploymentException
    {
        if (!network.stopPlayback(stage))
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
        final List<Map<String, Object>> all = new ArrayList<>();
        try
        {
            for (final String dataset : existing().datasets())
            {
                all.add(map(dataset, store.summary(dataset)));
            }
        }
        catch (final JournalException e)
        {
            throw failed(e);
        }
        return all;
    }

    private static Map<String, Object> map(final String dataset, final DatasetSummary summary)
    {
        final Map<String, Object> map = new LinkedHashMap<>();
        map.put("dataset", dataset);
        map.put("types", List.copyOf(summary.types()));
        map.put("rows", summary.rows() < 0 ? null : summary.rows());
        map.put("files", summary.files());
        map.put("bytes", summary.bytes());
        map.put("first", time(summary.firstNs()));
        map.put("last", time(summary.lastNs()));
        map.put("recordedBy", summary.recordedBy());
        map.put("problem", summary.problem());
        return map;
    }

    private static String time(final long timeNs)
    {
        return timeNs == Long.MIN_VALUE ? null : TimeRange.text(timeNs);
    }

    /**
     * Deletes a dataset.
     *
     * @throws IOException         if files cannot be deleted
     * @throws DeploymentException if there is no such dataset, or a stage records into it
     */
    public Map<String, Object> delete(final String dataset) throws IOException, DeploymentException
    {
        try
        {
            if (!existing().datasets().contains(dataset))
            {
                throw new DeploymentException(NO_DATASET, SourcePosition.NONE, "no such dataset, dataset=" + dataset,
                    "datasets of the event store: " + String.join(", ", store.datasets()));
            }
            store.delete(dataset);
            return Map.of("dataset", dataset);
        }
        catch (final JournalException e)
        {
            throw failed(e);
        }
    }

    private JournalEventStore existing() throws DeploymentException
    {
        if (store == null)
        {
            throw new DeploymentException(NetworkErrorCode.NO_EVENT_STORE, SourcePosition.NONE,
                "the server has no event store", "add <event-store><name>events</name></event-store> to " +
                    "config/config.xml of the domain and restart the server");
        }
        return store;
    }

    private static DeploymentException failed(final JournalException e)
    {
        // The message begins with the code; most end with what to do.
        final String text = e.getMessage().substring(e.code().length() + 2);
        final int end = text.lastIndexOf("; ");
        return new DeploymentException(e.code(), SourcePosition.NONE, end < 0 ? text : text.substring(0, end),
            end < 0 ? "see the server's log" : text.substring(end + 2));
    }
}
