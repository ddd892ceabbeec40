package dev.millrace.command.replay;

import dev.millrace.api.internal.StatusLine;
import dev.millrace.command.journal.JournalRow;
import dev.millrace.network.durable.ReplayEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Passes the records of all units to rules. Each unit has separate rules, as in the processor; the units take turns
 * in order of their times. Confined to one thread.
 */
final class ReplayRun
{
    private static final long LONGEST_SLEEP_MS = 100;
    /** Time between two looks for records that were appended. */
    private static final long POLL_MS = 50;

    private final List<UnitCursor> cursors;
    /** For each set of rules, its units by name. */
    private final List<Map<String, ReplayEngine.Unit>> sides;
    private final TimeRange range;
    private final double speed;
    private final BooleanSupplier isStopped;
    private long records;
    private long rowRecords;
    private long firstRowNs = Long.MIN_VALUE;
    private long untilNs = Long.MIN_VALUE;
    private boolean isPaced;
    private long pacedFromNs;
    private long startNs;

    /**
     * @param speed     recorded time by real time; 0 as fast as possible
     * @param isStopped whether to end early
     */
    ReplayRun(final List<UnitCursor> cursors, final List<Map<String, ReplayEngine.Unit>> sides, final TimeRange range,
        final double speed, final BooleanSupplier isStopped)
    {
        this.cursors = cursors;
        this.sides = sides;
        this.range = range;
        this.speed = speed;
        this.isStopped = isStopped;
    }

    /**
     * Replays until all output of the range is complete, the journals end, or it is stopped.
     *
     * @return whether it was not stopped
     */
    boolean run(final StatusLine progress) throws InterruptedException
    {
        final List<UnitCursor> open = new ArrayList<>(cursors);
        while (!open.isEmpty())
        {
            final UnitCursor next = first(open);
            if (next.isAtEnd())
            {
                open.remove(next);
                continue;
            }
            if (isStopped.getAsBoolean() || !waitUntil(next.timeNs()))
            {
                return false;
            }
            pass(next, progress);
            if (next.hasPassed(range.toNs()))
            {
                open.remove(next);
            }
            else
            {
                next.advance();
            }
        }
        return true;
    }

    /** Reacts to the progress of a replay that continues with rows that the processor receives. */
    interface Live
    {
        /** All records of the journals were replayed; called once, at the first such moment. */
        void reached();

        /**
         * Called at least once between two looks for appended records.
         *
         * @param completeNs output before this time is complete
         * @return whether to continue
         */
        boolean isContinued(long completeNs);
    }

    /**
     * Replays the journals, then the records that are appended, until it is stopped.
     *
     * @throws dev.millrace.command.cli.CommandException if records were deleted before they were read
     */
    void follow(final StatusLine progress, final Live live) throws InterruptedException
    {
        cursors.forEach(UnitCursor::follow);
        boolean isLive = false;
        long lookNs = System.nanoTime();
        while (!isStopped.getAsBoolean())
        {
            final UnitCursor next = firstWithRecord();
            if (next != null)
            {
                pass(next, progress);
                next.advance();
            }
            final boolean isDue = System.nanoTime() - lookNs > TimeUnit.MILLISECONDS.toNanos(POLL_MS);
            if ((next == null || isDue) && !live.isContinued(completeNs()))
            {
                return;
            }
            if (next == null && !isLive)
            {
                isLive = true;
                live.reached();
            }
            if (next == null)
            {
                TimeUnit.MILLISECONDS.sleep(POLL_MS);
            }
            if (next == null || isDue)
            {
                lookNs = System.nanoTime();
                cursors.stream().filter(UnitCursor::isAtEnd).forEach(UnitCursor::advance);
            }
        }
    }

    private UnitCursor firstWithRecord()
    {
        UnitCursor first = null;
        for (final UnitCursor each : cursors)
        {
            first = each.isAtEnd() || first != null && first.timeNs() <= each.timeNs() ? first : each;
        }
        return first;
    }

    /** The time before which the output of all units is complete; units without records have none. */
    private long completeNs()
    {
        return cursors.stream().mapToLong(UnitCursor::completeNs).filter(time -> time != Long.MIN_VALUE).min()
            .orElse(Long.MIN_VALUE);
    }

    private void pass(final UnitCursor next, final StatusLine progress)
    {
        sides.forEach(side -> next.passTo(side.get(next.unit())));
        untilNs = Math.max(untilNs, next.timeNs());
        records++;
        countRows(next);
        if (progress.isDue())
        {
            progress.showWithSeconds("replaying, records=" + records + " time=" +
                JournalRow.text(JournalRow.time(untilNs)));
        }
    }

    private void countRows(final UnitCursor next)
    {
        rowRecords += next.isIn(range) ? 1 : 0;
        if (next.hasRows() && firstRowNs == Long.MIN_VALUE)
        {
            firstRowNs = next.timeNs();
        }
    }

    /** Number of records with rows in the range. */
    long rowRecords()
    {
        return rowRecords;
    }

    /** Time of the first row that is kept. */
    long firstRowNs()
    {
        return firstRowNs;
    }

    /** Number of records that were replayed. */
    long records()
    {
        return records;
    }

    /** Time up to which records were replayed; the smallest number before the first one. */
    long untilNs()
    {
        return untilNs;
    }

    private static UnitCursor first(final List<UnitCursor> open)
    {
        UnitCursor first = open.get(0);
        for (final UnitCursor each : open)
        {
            if (each.isAtEnd() || !first.isAtEnd() && each.timeNs() < first.timeNs())
            {
                first = each;
            }
        }
        return first;
    }

    /** Waits until a record is due; false when the replay was stopped in the meantime. */
    private boolean waitUntil(final long timeNs) throws InterruptedException
    {
        if (speed == 0 || timeNs == Long.MIN_VALUE || timeNs < range.fromNs())
        {
            return true;
        }
        if (!isPaced)
        {
            isPaced = true;
            pacedFromNs = timeNs;
            startNs = System.nanoTime();
        }
        final long dueNs = (long)((timeNs - pacedFromNs) / speed);
        long restNs = dueNs - (System.nanoTime() - startNs);
        while (restNs > 0)
        {
            if (isStopped.getAsBoolean())
            {
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(Math.min(LONGEST_SLEEP_MS, 1 + TimeUnit.NANOSECONDS.toMillis(restNs)));
            restNs = dueNs - (System.nanoTime() - startNs);
        }
        return true;
    }
}
