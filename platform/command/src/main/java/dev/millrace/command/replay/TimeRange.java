package dev.millrace.command.replay;

import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.concurrent.TimeUnit;

/**
 * The times whose output is shown. Immutable.
 *
 * @param fromNs first time
 * @param toNs   time after the last one
 */
record TimeRange(long fromNs, long toNs)
{
    /**
     * Parses options.
     *
     * @param from {@code null} for all times before {@code to}
     * @param to   {@code null} for all times from {@code from}
     */
    static TimeRange of(final String from, final String to)
    {
        final TimeRange range = new TimeRange(from == null ? Long.MIN_VALUE : parse("--from", from),
            to == null ? Long.MAX_VALUE : parse("--to", to));
        if (range.fromNs >= range.toNs)
        {
            throw new CommandException(ExitCode.USAGE, "CMD-0245", "the range of times is empty, --from=" + from +
                " --to=" + to, "specify a time --to that is later than --from");
        }
        return range;
    }

    private static long parse(final String option, final String text)
    {
        try
        {
            final Instant time = OffsetDateTime.parse(text).toInstant();
            return Math.addExact(Math.multiplyExact(time.getEpochSecond(), TimeUnit.SECONDS.toNanos(1)),
                time.getNano());
        }
        catch (final DateTimeException | ArithmeticException e)
        {
            throw new CommandException(ExitCode.USAGE, "CMD-0245", "not a time, " + option + "=" + text,
                "write it as 2026-11-29T10:15:00Z or 2026-11-29T11:15:00.250+01:00");
        }
    }

    boolean contains(final long timeNs)
    {
        return timeNs >= fromNs && timeNs < toNs;
    }

    boolean isLimited()
    {
        return fromNs != Long.MIN_VALUE || toNs != Long.MAX_VALUE;
    }
}
