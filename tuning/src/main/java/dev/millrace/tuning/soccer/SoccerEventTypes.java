package dev.millrace.tuning.soccer;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import java.util.Arrays;
import java.util.Map;

/** The event types of the DEBS 2013 network: the record of a sensor, the wearers of sensors, and the results. */
final class SoccerEventTypes
{
    /**
     * The record, and its time in nanoseconds: the adapter divides picoseconds by a thousand, since an engine counts
     * nanoseconds.
     */
    static final EventType POSITION = type("Position", "sid ts* x* y* z* v* a* vx vy vz ax ay az at*");
    static final EventType SENSOR = type("Sensor", "sid kind player team");
    static final EventType INTERRUPTION = type("Interruption", "at* stopped");
    /** Types between processors, by the query that emits them. */
    static final Map<String, EventType> BETWEEN = Map.of(
        "legs", type("Leg", "at* sid player team x* y* v*"),
        "strikes", type("Strike", "at* x* y*"),
        "outs", type("Out", "at*"),
        "aims", type("Aim", "at* x* y* z* v* a* vx vy vz ax ay az"),
        "spells", type("Spell", "at* player team held*"),
        "paces", type("Step", "at* player distance* pace"),
        "seconds", type("Second", "at* player cx* cy* wide* n*"));
    private static final EventType PACE = type("Pace", "player pace steps* distance*");
    private static final EventType SHARE = type("Share", "team held* share/");
    private static final EventType PERCENT = type("Percent", "player cx* cy* percent/");
    private static final EventType SAMPLES = type("Samples", "player cx* cy* n*");
    private static final Map<String, EventType> RESULTS = Map.of(
        "running", type("Running", "since* until* player pace distance* v*"),
        "players", type("Held", "player hits* held*"),
        "shots", type("Shot", "at* player x* y* z* v* vx vy vz a* ax ay az"));

    private SoccerEventTypes()
    {
    }

    /** Type of the output of a query. */
    static EventType of(final String query)
    {
        return RESULTS.containsKey(query) ? RESULTS.get(query) : query.startsWith("pace") ? PACE :
            query.startsWith("teams") ? SHARE : query.endsWith("_match") ? SAMPLES : PERCENT;
    }

    /** Columns by name: the suffix * means bigint, / means double, no suffix means int. */
    private static EventType type(final String name, final String columns)
    {
        return EventType.tuple(name, Arrays.stream(columns.split(" ")).map(column ->
            column.endsWith("*") ? new EventProperty(column.substring(0, column.length() - 1), CqlType.BIGINT) :
            column.endsWith("/") ? new EventProperty(column.substring(0, column.length() - 1), CqlType.DOUBLE) :
            new EventProperty(column, CqlType.INT)).toArray(EventProperty[]::new));
    }
}
