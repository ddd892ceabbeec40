package dev.millrace.server.recording;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.PlaybackSettings;
import dev.millrace.network.definition.RecordingSettings;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.network.definition.TimeRange;
import dev.millrace.network.topology.NetworkErrorCode;
import java.util.List;

/**
 * A request to record a stage, or to play a dataset back. Missing parts are taken from the configuration of
 * the stage. Immutable.
 *
 * @param dataset    {@code null} for the configured one
 * @param eventTypes empty for the configured ones
 * @param range      {@code null} for none: recording begins now; playback uses the configured range
 * @param speed      {@code null} for the configured one
 * @param repeat     {@code null} as configured
 */
public record RecordingRequest(String dataset, List<String> eventTypes, TimeRange range, Double speed, Boolean repeat)
{
    /** Copies the list. */
    public RecordingRequest
    {
        eventTypes = List.copyOf(eventTypes);
    }

    /**
     * The settings of a recording.
     *
     * @param configured of the stage; {@code null} if it has none
     * @throws DeploymentException if neither names a dataset
     */
    public RecordingSettings recording(final String stage, final RecordingSettings configured)
        throws DeploymentException
    {
        return new RecordingSettings(stage, dataset(NetworkErrorCode.RECORDING, stage, "record-parameters",
            configured == null ? null : configured.dataset()), eventTypes.isEmpty() && configured != null ?
            configured.eventTypes() : eventTypes, null, range, SourcePosition.NONE);
    }

    /**
     * The settings of a playback.
     *
     * @param configured of the stage; {@code null} if it has none
     * @throws DeploymentException if neither names a dataset
     */
    public PlaybackSettings playback(final String stage, final PlaybackSettings configured) throws DeploymentException
    {
        final String named = dataset(NetworkErrorCode.PLAYBACK, stage, "playback-parameters",
            configured == null ? null : configured.dataset());
        final boolean isKnown = configured != null;
        return new PlaybackSettings(stage, named, eventTypes.isEmpty() && isKnown ? configured.eventTypes() :
            eventTypes, null, range == null && isKnown ? configured.range() : range, null, false,
            speed != null ? speed : isKnown ? configured.speed() : 1,
            repeat != null ? repeat : isKnown && configured.repeat(), SourcePosition.NONE);
    }

    private String dataset(final String code, final String stage, final String element, final String configured)
        throws DeploymentException
    {
        if (dataset == null && configured == null)
        {
            throw new DeploymentException(code, SourcePosition.NONE, "no dataset is named, stage=" + stage,
                "name one with --dataset, or add <" + element + "> to the configuration of the stage");
        }
        return dataset == null ? configured : dataset;
    }
}
