package dev.millrace.command.replay;

import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.cli.TimeOption;
import java.time.Instant;
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
        final TimeRange range = new TimeRange(from == null ? Long.MIN_VALUE : ns(TimeOption.parse("--from", from)),
            to == null ? Long.MAX_VALUE : ns(TimeOption.parse("--to", to)));
        if (range.fromNs >= range.toNs)
        {
            throw new CommandException(ExitCode.USAGE, "CMD-0252", "the range of times is empty, --from=" + from +
                " --to=" + to, "specify a time --to that is later than --from");
        }
        return range;
    }

    /** Times that a record cannot have become the first or the last one. */
    private static long ns(final Instant time)
    {
        final long second = TimeUnit.SECONDS.toNanos(1);
        final long most = Long.MAX_VALUE / second - 1;
        return Math.max(-most, Math.min(most, time.getEpochSecond())) * second + time.getNano();
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
