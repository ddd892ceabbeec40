package dev.millrace.cql.processor.simulation;

import dev.millrace.cql.plan.flow.FlowNode.TimeKind;
import dev.millrace.journal.SyncMode;
import dev.millrace.network.spi.DurabilitySettings;
import java.util.List;
import java.util.Random;

/**
 * What one simulation runs, and what may happen in it.
 *
 * @param workers      number of workers
 * @param isOneThread  whether the channels have the same thread
 * @param losesPower   whether the machine may stop; otherwise only the process
 * @param isSmall      whether the journals reach their maximum size, so that sources wait
 * @param forgetsRows  whether sources forget rows as soon as they are acknowledged
 * @param usesCache    whether a rule joins the cache
 * @param isReordered  whether the sources send independently of each other
 */
record Profile(SimulatedProcess.Rules rules, int workers, boolean isOneThread, SyncMode sync, boolean losesPower,
    boolean isSmall, boolean forgetsRows, boolean usesCache, boolean isReordered, int rows, int fileBytes)
{
    private static final long SYNC_INTERVAL_NS = 5_000_000;
    private static final int FILES_OF_SMALL = 6;

    static Profile of(final Random random)
    {
        final boolean usesCache = random.nextInt(5) == 0;
        final SyncMode sync = SyncMode.values()[random.nextInt(SyncMode.values().length)];
        // A row whose record was lost may find something else in the cache when it is sent again.
        final boolean losesPower = random.nextBoolean() && (!usesCache || sync == SyncMode.BATCH);
        final boolean isReordered = !usesCache && random.nextInt(4) == 0;
        final List<List<Statement>> together = isReordered ? Statement.WITHOUT_TIME : Statement.TOGETHER;
        final TimeKind time = random.nextBoolean() ? TimeKind.APPLICATION : TimeKind.APPLICATION_TOTAL_ORDER;
        final SimulatedProcess.Rules rules = new SimulatedProcess.Rules(usesCache ? List.of(Statement.CACHE) :
            together.get(random.nextInt(together.size())), time);
        final boolean forgetsRows = !(losesPower && sync != SyncMode.BATCH) && random.nextBoolean();
        return new Profile(rules, usesCache ? 1 : 1 + random.nextInt(2), random.nextBoolean(), sync, losesPower,
            !usesCache && random.nextInt(4) == 0, forgetsRows, usesCache, isReordered, 30 + random.nextInt(120),
            300 + random.nextInt(2_500));
    }

    /** Whether rows may arrive twice: those whose records were lost with the power. */
    boolean mayRepeat()
    {
        return losesPower && sync != SyncMode.BATCH;
    }

    /**
     * The settings of a process.
     *
     * @param isFollowed whether a second copy of the processor provides the snapshots
     */
    DurabilitySettings settings(final boolean isFollowed)
    {
        return new DurabilitySettings(sync, SYNC_INTERVAL_NS, Long.MAX_VALUE / 2, isFollowed ? -1 : Long.MAX_VALUE,
            fileBytes, isSmall ? (long)FILES_OF_SMALL * fileBytes : 1L << 34, 0, true, 0);
    }
}
