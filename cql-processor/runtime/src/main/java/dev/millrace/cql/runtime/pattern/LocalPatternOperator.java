package dev.millrace.cql.runtime.pattern;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.runtime.RowRejection;
import dev.millrace.cql.runtime.SlotInts;
import dev.millrace.cql.runtime.SlotObjects;
import dev.millrace.cql.runtime.flow.Delta;
import dev.millrace.cql.runtime.flow.FlowOperator;
import dev.millrace.cql.runtime.flow.FollowsTime;
import dev.millrace.cql.runtime.flow.PartitionTest;
import dev.millrace.cql.runtime.flow.ReplayOperator;
import dev.millrace.cql.runtime.flow.RowIndex;
import dev.millrace.cql.runtime.flow.RowRejectedException;
import dev.millrace.cql.runtime.flow.RowStore;
import java.util.Arrays;

/**
 * MATCH_RECOGNIZE for patterns whose conditions read only the row and rows physically before it: a condition is
 * computed once a row, a partition holds a few numbers for each position of the pattern, and no row but those that
 * measures read. Which matches count, and when, is as in {@link PatternOperator}.
 *
 * <p>Threads: the engine's. Ownership: claims the rows that it keeps. Failure: as {@link PatternOperator}.
 */
public final class LocalPatternOperator extends FlowOperator implements FollowsTime
{
    private static final int MAX_POSITIONS = 64;
    private static final int MAX_BACK = 16;
    private static final int MAX_POOLED = 1024;
    private static final int MAX_POOLED_RUNS = 256;
    private static final int NO_ROW = MatchView.NO_ROW;

    private final FlowOperator input;
    private final RowStore rows;
    private final PatternKernel kernel;
    private final PatternProgram.Rules rules;
    private final ReplayOperator target;
    private final MatchQueue queue;
    private final RowIndex partitions;
    private final TimingWheel timers = new TimingWheel();
    private final SlotClock holds = new SlotClock();
    private final int maxPartitions;
    private final int maxRuns;
    private final int depth;
    private final SlotInts kept = new SlotInts();
    private final LocalView view;
    private final LocalStepper stepper;
    private final LocalRuns matches;
    private LocalRuns next;
    private final SlotObjects<LocalRuns> states = new SlotObjects<>();
    private final LocalRuns[] pool = new LocalRuns[MAX_POOLED];
    private int pooled;
    private long arrivals;

    /**
     * Makes an operator.
     *
     * @param input  stream
     * @param setup  what is looked for; {@link #isSuitable}
     * @param result store for rows of matches
     * @param target where they go, over the same store
     */
    public LocalPatternOperator(final FlowOperator input, final PatternSetup setup, final RowStore result,
        final ReplayOperator target)
    {
        super(result, input);
        this.input = input;
        this.target = target;
        rows = input.store();
        kernel = setup.kernel();
        final PatternProgram program = setup.program();
        rules = program.rules();
        maxPartitions = setup.maxPartitions();
        maxRuns = setup.maxRuns();
        depth = program.maxBack();
        partitions = RowIndex.unique(rows, program.partitionBy());
        queue = new MatchQueue(result, target);
        view = new LocalView(program, kept, depth);
        stepper = new LocalStepper(program, kernel, rows, view, maxRuns);
        matches = new LocalRuns(view.registerCount());
        next = new LocalRuns(view.registerCount());
    }

    /**
     * Whether a pattern can be run by this operator.
     *
     * @param program pattern
     * @return true when all conditions are row-local, and measures read single rows of the match only
     */
    public static boolean isSuitable(final PatternProgram program)
    {
        final PatternProgram.Rules rules = program.rules();
        final long all = program.variables().length == Long.SIZE ? -1L : (1L << program.variables().length) - 1;
        final boolean isPlain = rules.durationNs() == 0 && !rules.allRows() && !rules.empty() && !rules.unmatched() &&
            program.aggregates().length == 0 && program.classifiers().length == 0 && !program.readsNumber();
        final boolean isSkipping = rules.allMatches() || rules.skip() == PatternProgram.Skip.PAST_LAST_ROW ||
            rules.skip() == PatternProgram.Skip.TO_NEXT_ROW;
        return isPlain && isSkipping && (program.unconditional() | program.rowLocal() | ~all) == -1L &&
            program.follow().length <= MAX_POSITIONS && program.maxBack() <= MAX_BACK &&
            !(rules.allMatches() && program.isAmbiguous()) &&
            Arrays.stream(program.navigations()).allMatch(each ->
                each.offset() == 0 && each.back() >= 0 && each.maxAgeNs() < 0);
    }

    @Override
    protected void process(final long nowNs)
    {
        fireTimers(nowNs);
        final Delta in = input.delta();
        for (int i = 0; i < in.size(); i++)
        {
            if (in.isPlus(i))
            {
                take(in.row(i), nowNs);
            }
        }
        letGo(nowNs);
        wakeAt(timers.wakeNs());
    }

    @Override
    public void progress(final long closedNs)
    {
        letGo(closedNs);
    }

    @Override
    protected void finish(final long closedNs)
    {
        queue.release(closedNs, SlotClock.NEVER, 0);
        target.close(closedNs);
    }

    private void letGo(final long closedNs)
    {
        final long holdNs = holds.firstNs();
        queue.release(closedNs, holdNs, holdNs == SlotClock.NEVER ? 0 : holds.firstTie());
        target.close(MatchQueue.completeNs(closedNs, holdNs));
    }

    private void fireTimers(final long nowNs)
    {
        timers.advance(nowNs);
        for (int slot = timers.dueSlot(nowNs); slot >= 0; slot = timers.dueSlot(nowNs))
        {
            final LocalRuns runs = states.get(slot);
            expire(runs, timers.timeNs(slot));
            settle(runs);
            tidy(slot, runs);
        }
    }

    private void expire(final LocalRuns runs, final long nowNs)
    {
        long until = Long.MIN_VALUE;
        for (int i = 0; i < runs.size() && expiryNs(runs, i) <= nowNs; i++)
        {
            until = runs.start(i) + 1;
        }
        runs.drop(rows, Long.MIN_VALUE, until, true);
    }

    private long expiryNs(final LocalRuns runs, final int run)
    {
        return MatchMode.plus(runs.startTimeNs(run), rules.limitNs());
    }

    private void take(final int row, final long nowNs)
    {
        int slot = partitions.find(row);
        if (slot == RowIndex.NONE)
        {
            if (rows.memory().isShort())
            {
                reject(MemoryAccount.MEMORY_FULL, rows.memory().shortage());
                return;
            }
            if (partitions.size() >= maxPartitions)
            {
                reject(RowRejection.STATE_FULL, "more partitions than may be kept, maxPartitions=" + maxPartitions);
                return;
            }
            slot = partitions.add(row);
            open(slot);
        }
        else
        {
            partitions.replace(slot, row);
        }
        LocalRuns runs = states.get(slot);
        if (runs == null)
        {
            runs = pooled == 0 ? new LocalRuns(view.registerCount()) : pool[--pooled];
            states.set(slot, runs);
        }
        step(slot, runs, row, nowNs);
    }

    private void open(final int slot)
    {
        states.reach(slot);
        for (int i = slot * depth; i < (slot + 1) * depth; i++)
        {
            kept.reach(i);
            kept.set(i, NO_ROW);
        }
    }

    private void step(final int slot, final LocalRuns runs, final int row, final long nowNs)
    {
        next.clear();
        matches.clear();
        view.standOn(slot, row);
        try
        {
            stepper.step(runs, next, matches, arrivals, nowNs);
        }
        catch (final RowRejectedException cause)
        {
            reject(cause);
            tidy(slot, runs);
            return;
        }
        arrivals++;
        if (stepper.dropped() > 0)
        {
            reject(PatternOperator.TOO_MANY_RUNS, "partial matches of one partition are not followed any further, " +
                "number=" + stepper.dropped() + " maxRuns=" + maxRuns);
        }
        for (int i = 0; i < matches.size(); i++)
        {
            report(matches, i);
        }
        next.retainAll(rows);
        runs.releaseAll(rows);
        final LocalRuns after = next;
        next = runs;
        states.set(slot, after);
        push(slot, row);
        settle(after);
        tidy(slot, after);
    }

    private void push(final int slot, final int row)
    {
        if (depth == 0)
        {
            return;
        }
        final int base = slot * depth;
        final int oldest = kept.get(base + depth - 1);
        if (oldest != NO_ROW)
        {
            rows.release(oldest);
        }
        for (int i = depth - 1; i > 0; i--)
        {
            kept.set(base + i, kept.get(base + i - 1));
        }
        rows.retain(row);
        kept.set(base, row);
    }

    /** Puts out the matches that nothing preferred can take the place of. */
    private void settle(final LocalRuns runs)
    {
        if (rules.allMatches())
        {
            return;
        }
        final boolean skipsPast = rules.skip() == PatternProgram.Skip.PAST_LAST_ROW;
        while (!runs.isEmpty() && runs.isDone(0))
        {
            report(runs, 0);
            final long start = runs.start(0);
            runs.drop(rows, Long.MIN_VALUE, skipsPast ? Math.max(start, runs.end(0)) + 1 : start + 1, false);
        }
        if (skipsPast)
        {
            dropCovered(runs);
        }
    }

    /** When the oldest start is sure to have a match, younger ones within it are not wanted any more. */
    private void dropCovered(final LocalRuns runs)
    {
        for (int i = 0; i < runs.size() && runs.start(i) == runs.start(0); i++)
        {
            if (runs.isDone(i))
            {
                runs.drop(rows, runs.start(0) + 1, runs.end(i) + 1, false);
                return;
            }
        }
    }

    private void report(final LocalRuns of, final int match)
    {
        view.look(of, match);
        int result = NO_ROW;
        try
        {
            result = store().allocate();
            kernel.measures(view, rows, store(), result);
            queue.add(result, of.endTimeNs(match), of.start(match));
        }
        catch (final RowRejectedException cause)
        {
            if (result != NO_ROW)
            {
                store().release(result);
            }
            reject(cause);
        }
    }

    /** Sets the times of the partition, and forgets it when nothing is left. */
    private void tidy(final int slot, final LocalRuns runs)
    {
        if (rules.withinNs() > 0)
        {
            timers.set(slot, runs.isEmpty() ? SlotClock.NEVER : expiryNs(runs, 0));
        }
        if (!rules.allMatches())
        {
            hold(slot, runs);
        }
        if (runs.isEmpty())
        {
            states.set(slot, null);
            if (pooled < pool.length && !runs.isLarge(MAX_POOLED_RUNS))
            {
                pool[pooled++] = runs;
            }
            if (depth == 0)
            {
                partitions.remove(slot);
            }
        }
    }

    /** No row of a time goes out while a match of that time or before waits to be decided. */
    private void hold(final int slot, final LocalRuns runs)
    {
        long holdNs = SlotClock.NEVER;
        long holdArrival = 0;
        for (int i = 0; i < runs.size(); i++)
        {
            if (runs.isDone(i) && (runs.endTimeNs(i) < holdNs ||
                runs.endTimeNs(i) == holdNs && runs.start(i) < holdArrival))
            {
                holdNs = runs.endTimeNs(i);
                holdArrival = runs.start(i);
            }
        }
        holds.set(slot, holdNs, holdArrival);
    }

    /** Matches that were decided stay decided. */
    @Override
    protected void forget(final PartitionTest partitionsToForget, final int column)
    {
        for (final int slot : partitions.entriesOf(partitionsToForget, column))
        {
            final LocalRuns runs = states.get(slot);
            if (runs != null)
            {
                runs.releaseAll(rows);
                states.set(slot, null);
            }
            for (int i = slot * depth; i < (slot + 1) * depth && kept.get(i) != NO_ROW; i++)
            {
                rows.release(kept.get(i));
            }
            timers.set(slot, SlotClock.NEVER);
            holds.set(slot, SlotClock.NEVER, 0);
            partitions.remove(slot);
        }
        wakeAt(timers.wakeNs());
    }

    @Override
    public long stateSize()
    {
        return partitions.size();
    }
}
