package dev.millrace.cql.testkit.interpreter;

import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** One input and the results computed from it. */
final class Evaluation
{
    /** The beginning of time. */
    static final long BEGINNING = Long.MIN_VALUE;

    /** Rows of the streams computed so far, by stream. */
    final Map<Object, Object> known = new IdentityHashMap<>();
    /** Number of rows that could not be computed. */
    int faults;
    /** Whether nothing leaves a window, is subtracted or cut off, so that every row is seen that ever was somewhere. */
    final boolean isLoose;
    private final Map<String, List<Change>> logs;
    private final Map<String, Long> clocks;

    Evaluation(final Map<String, List<Change>> logs, final Map<String, Long> clocks, final boolean isLoose)
    {
        this.isLoose = isLoose;
        this.logs = new HashMap<>(logs);
        this.clocks = new HashMap<>(clocks);
    }

    /** An insert (+), delete (-) or update (U). */
    record Change(long time, char kind, Row row)
    {
    }

    List<Change> log(final String name)
    {
        return logs.getOrDefault(name, List.of());
    }

    /** Up to when everything about some inputs is known; with loose windows how far any input has come. */
    long progress(final Set<String> bases)
    {
        if (isLoose)
        {
            return clocks.values().stream().mapToLong(Long::longValue).max().orElse(BEGINNING);
        }
        long progress = Long.MAX_VALUE;
        for (final String base : bases)
        {
            progress = Math.min(progress, clocks.getOrDefault(base, BEGINNING));
        }
        return progress;
    }
}
