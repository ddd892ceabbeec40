package dev.millrace.network.definition;

import java.util.List;
import java.util.Objects;

/**
 * What a stage plays back: the rows of a dataset leave the stage as if it emitted them.
 *
 * @param stage      id of the stage
 * @param dataset    name of the dataset
 * @param eventTypes names of the event types to play back; empty for all
 * @param provider   name of the event store; {@code null} for that of the server
 * @param range      when the rows were recorded; {@code null} for all
 * @param schedule   when rows are played back; {@code null} = at once
 * @param automatic  whether playback begins when the application starts; otherwise a command starts it
 * @param speed      1 = as recorded; 2 = twice as fast
 * @param repeat     whether it begins again after the last row
 * @param position   of its element
 */
public record PlaybackSettings(String stage, String dataset, List<String> eventTypes, String provider,
    TimeRange range, TimeRange schedule, boolean automatic, double speed, boolean repeat, SourcePosition position)
{
    /** Maximum speed: the rows of a year in half a minute. */
    public static final double MAX_SPEED = 1_000_000;

    /** Checks the arguments. */
    public PlaybackSettings
    {
        Objects.requireNonNull(stage, "stage");
        Objects.requireNonNull(dataset, "dataset");
        eventTypes = List.copyOf(eventTypes);
        if (!isSpeed(speed))
        {
            throw new IllegalArgumentException("not a speed, speed=" + speed);
        }
    }

    /** Whether a number can be a speed. */
    public static boolean isSpeed(final double speed)
    {
        return speed > 0 && speed <= MAX_SPEED;
    }

    /** Whether rows of a type are played back. */
    public boolean selects(final String eventType)
    {
        return eventTypes.isEmpty() || eventTypes.contains(eventType);
    }

    /** The same settings at no position, for comparison. */
    public PlaybackSettings unplaced()
    {
        return new PlaybackSettings(stage, dataset, eventTypes, provider, range, schedule, automatic, speed, repeat,
            SourcePosition.NONE);
    }
}
