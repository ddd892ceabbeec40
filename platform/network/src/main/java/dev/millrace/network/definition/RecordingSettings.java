package dev.millrace.network.definition;

import java.util.List;
import java.util.Objects;

/**
 * What a stage records: the rows that leave it, in a dataset of the event store.
 *
 * @param stage      id of the stage
 * @param dataset    name of the dataset
 * @param eventTypes names of the event types to record; empty for all that leave the stage
 * @param provider   name of the event store; {@code null} for that of the server
 * @param range      when rows are recorded; {@code null} = not before a command starts it
 * @param position   of its element
 */
public record RecordingSettings(String stage, String dataset, List<String> eventTypes, String provider,
    TimeRange range, SourcePosition position)
{
    /** Checks the arguments. */
    public RecordingSettings
    {
        Objects.requireNonNull(stage, "stage");
        Objects.requireNonNull(dataset, "dataset");
        eventTypes = List.copyOf(eventTypes);
    }

    /** Whether rows of a type are recorded. */
    public boolean selects(final String eventType)
    {
        return eventTypes.isEmpty() || eventTypes.contains(eventType);
    }

    /** The same settings at no position, for comparison. */
    public RecordingSettings unplaced()
    {
        return new RecordingSettings(stage, dataset, eventTypes, provider, range, SourcePosition.NONE);
    }
}
