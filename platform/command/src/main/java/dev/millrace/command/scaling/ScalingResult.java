package dev.millrace.command.scaling;

import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.scaling.fleet.ScalingSettings;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Result of a study. Immutable. */
public final class ScalingResult
{
    /** Above this use of the processors, latencies are not meaningful. */
    private static final double SATURATED_PERCENT = 80;
    /** Share of the offered rate from which it counts as accepted. */
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

    public ScalingSettings settings()
    {
        return settings;
    }

    public double formedSeconds()
    {
        return formedSeconds;
    }

    public double deployedSeconds()
    {
        return deployedSeconds;
    }

    public List<ScalingRow> rows()
    {
        return rows;
    }

    /** Whether the processors were saturated in a row. */
    public static boolean isSaturated(final ScalingRow row)
    {
        return row.cpu().busyPercent() > SATURATED_PERCENT;
    }

    /** Whether the offered rate was accepted. */
    static boolean isFull(final ScalingRow row)
    {
        return row.acceptedPerSec() >= FULL * row.offeredPerSec();
    }

    /**
     * Returns the row with the highest accepted rate among those whose offered rate was accepted; without such a row,
     * among all rows.
     *
     * @return one line; empty without rows
     */
    public Optional<String> peak()
    {
        final boolean someFull = rows.stream().anyMatch(ScalingResult::isFull);
        return rows.stream().filter(row -> !someFull || isFull(row))
            .max((one, other) -> Double.compare(one.acceptedPerSec(), other.acceptedPerSec()))
            .map(row -> String.format(Locale.ROOT, "peak: %,.0f events/s accepted, %d connections, average %.0f us%s",
                row.acceptedPerSec(), row.step().connections(), row.most(ScalingRow.InstanceRow::avgUs),
                someFull ? "" : "; in no row was the full offered rate accepted"));
    }

    /**
     * Ends the command when a row lost events or emitted wrong output.
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
                    "a rate with a wrong result is not valid; internal error, please report it");
            }
        }
    }
}
