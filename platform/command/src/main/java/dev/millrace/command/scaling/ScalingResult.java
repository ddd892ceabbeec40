package dev.millrace.command.scaling;

import dev.millrace.command.CommandException;
import dev.millrace.command.ExitCode;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A study that was carried out. Immutable. */
public final class ScalingResult
{
    /** A machine that is busier than that has no time to be punctual. */
    private static final double SATURATED_PERCENT = 80;
    /** A rate counts as taken in when so much of it was. */
    private static final double FULL = 0.99;

    private final ScalingSettings settings;
    private final double formedSeconds;
    private final double deployedSeconds;
    private final List<ScalingRow> rows;

    ScalingResult(final ScalingSettings settings, final double formedSeconds, final double deployedSeconds,
        final List<ScalingRow> rows)
    {
        this.settings = settings;
        this.formedSeconds = formedSeconds;
        this.deployedSeconds = deployedSeconds;
        this.rows = List.copyOf(rows);
    }

    ScalingSettings settings()
    {
        return settings;
    }

    double formedSeconds()
    {
        return formedSeconds;
    }

    double deployedSeconds()
    {
        return deployedSeconds;
    }

    List<ScalingRow> rows()
    {
        return rows;
    }

    /** Whether the machine had no time left in a row. */
    static boolean isSaturated(final ScalingRow row)
    {
        return row.cpu().busyPercent() > SATURATED_PERCENT;
    }

    /** Whether an instance took in what was offered. */
    static boolean isFull(final ScalingRow row)
    {
        return row.acceptedPerSec() >= FULL * row.offeredPerSec();
    }

    /**
     * Names the row that took in most, of those that took in what was offered; when there is none, of all.
     *
     * @return one line; empty when there are no rows
     */
    public Optional<String> peak()
    {
        final boolean someFull = rows.stream().anyMatch(ScalingResult::isFull);
        return rows.stream().filter(row -> !someFull || isFull(row))
            .max((one, other) -> Double.compare(one.acceptedPerSec(), other.acceptedPerSec()))
            .map(row -> String.format(Locale.ROOT, "peak: %,.0f events/s accepted, %d connections, average %.0f us%s",
                row.acceptedPerSec(), row.step().connections(), row.most(ScalingRow.InstanceRow::avgUs),
                someFull ? "" : "; no row took in all that was offered"));
    }

    /**
     * Refuses figures of a run that lost rows or put out wrong ones.
     *
     * @throws CommandException when a row is wrong
     */
    public void check()
    {
        for (final ScalingRow row : rows)
        {
            if (!row.isRight())
            {
                throw new CommandException(ExitCode.FAILED, "CMD-0165", "the figures are wrong, connections=" +
                    row.step().connections() + " sent=" + row.sent() + " accepted=" + row.accepted() +
                    " expectedOutput=" + row.expectedOutput() + " output=" + row.output() + " instances=" +
                    row.instances().stream().filter(each -> !each.isRight()).map(ScalingRow.InstanceRow::name).toList(),
                    "a rate without a right result is no figure; this is our fault, please report it");
            }
        }
    }
}
