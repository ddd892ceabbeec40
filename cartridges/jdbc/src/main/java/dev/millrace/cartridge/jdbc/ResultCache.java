package dev.millrace.cartridge.jdbc;

import dev.millrace.api.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The latest results of a function, by its arguments: at most a number of them, each for some time. Thread-safe. */
final class ResultCache
{
    private final int max;
    private final long timeNs;
    private final Clock clock;
    /** From the result that was used longest ago to the one that was used last. */
    private final Map<List<Object>, Result> results = new LinkedHashMap<>(16, 0.75f, true)
    {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(final Map.Entry<List<Object>, Result> eldest)
        {
            return size() > max;
        }
    };

    private record Result(List<Object> rows, long endNs)
    {
    }

    ResultCache(final int max, final long timeMs, final Clock clock)
    {
        this.max = max;
        timeNs = TimeUnit.MILLISECONDS.toNanos(timeMs);
        this.clock = clock;
    }

    /** The result for some arguments; {@code null} if it is not known or too old. */
    synchronized List<Object> get(final List<Object> arguments)
    {
        final Result result = results.get(arguments);
        if (result != null && clock.epochNs() - result.endNs >= 0)
        {
            results.remove(arguments);
            return null;
        }
        return result == null ? null : result.rows;
    }

    synchronized void put(final List<Object> arguments, final List<Object> rows)
    {
        if (max > 0)
        {
            results.put(arguments, new Result(rows, clock.epochNs() + timeNs));
        }
    }
}
