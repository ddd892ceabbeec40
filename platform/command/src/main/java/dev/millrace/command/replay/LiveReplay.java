package dev.millrace.command.replay;

import dev.millrace.api.internal.StatusLine;
import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import java.io.PrintWriter;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;
import java.util.function.Supplier;

/**
 * A replay that continues with the rows that the running processor receives. They are in its journals as soon as it has
 * received them, so that no row is missing between the recorded ones and these. Confined to one thread.
 *
 * <p>Failure: {@link CommandException} if records were deleted before they were read, or the processor has other
 * threads, whose journals were not read.
 */
final class LiveReplay
{
    private static final long SILENCE_NS = TimeUnit.SECONDS.toNanos(2);
    private static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long CHECK_NS = TimeUnit.SECONDS.toNanos(1);

    private final ReplayRun replay;
    private final Set<String> units;
    private final Supplier<Set<String>> unitsNow;
    private final long durationNs;
    private final PrintWriter notes;
    private long checkedNs = System.nanoTime();
    private long liveNs;
    private boolean isLive;
    private boolean isEnded;

    /**
     * @param units      names of the threads whose journals are replayed
     * @param unitsNow   finds the present ones
     * @param durationNs how long it continues when it has reached the processor
     */
    LiveReplay(final ReplayRun replay, final Set<String> units, final Supplier<Set<String>> unitsNow,
        final long durationNs, final PrintWriter notes)
    {
        this.replay = replay;
        this.units = units;
        this.unitsNow = unitsNow;
        this.durationNs = durationNs;
        this.notes = notes;
    }

    long records()
    {
        return replay.records();
    }

    long untilNs()
    {
        return replay.untilNs();
    }

    /**
     * Replays the recorded rows and those that follow.
     *
     * @param poll receives the time before which the output is complete; returns whether to continue
     * @return whether all recorded rows were replayed, and {@code poll} has not ended it
     */
    boolean run(final LongPredicate poll) throws InterruptedException
    {
        try (StatusLine progress = StatusLine.ofProcess(SILENCE_NS, STEP_NS, System::nanoTime))
        {
            replay.follow(progress, new ReplayRun.Live()
            {
                @Override
                public void reached()
                {
                    isLive = true;
                    liveNs = System.nanoTime();
                    notes.println("live, records=" + replay.records() + " until=" +
                        DifferenceReport.time(replay.untilNs(), "-"));
                    notes.flush();
                }

                @Override
                public boolean isContinued(final long completeNs)
                {
                    checkUnits();
                    isEnded = !poll.test(completeNs);
                    return !isEnded && !(isLive && System.nanoTime() - liveNs >= durationNs);
                }
            });
        }
        return isLive && !isEnded;
    }

    private void checkUnits()
    {
        if (System.nanoTime() - checkedNs < CHECK_NS)
        {
            return;
        }
        checkedNs = System.nanoTime();
        final Set<String> now = unitsNow.get();
        if (!now.equals(units))
        {
            throw new CommandException(ExitCode.FAILED, "CMD-0256", "the processor has other threads than at the " +
                "beginning of the replay, because it was updated, replayed=" + units + " now=" + now,
                "start the replay again");
        }
    }
}
