package dev.millrace.cql.testkit.interpreter;

import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** One input and the results computed from it. */
final class Evaluation
{
    /** Streams computed so far. */
    final Map<Source, Object> known = new IdentityHashMap<>();
    /** Environment for single rows. */
    final Env env = new Env();
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

    /** Up to when everything about a source is known; with loose windows how far any input has come. */
    long progress(final Source source)
    {
        if (isLoose)
        {
            return clocks.values().stream().mapToLong(Long::longValue).max().orElse(Source.BEGINNING);
        }
        long progress = Long.MAX_VALUE;
        for (final String base : source.bases)
        {
            progress = Math.min(progress, clocks.getOrDefault(base, Source.BEGINNING));
        }
        return progress;
    }
}
