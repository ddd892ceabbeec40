package dev.millrace.cql.runtime.pattern;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.runtime.IdleSweep;
import dev.millrace.cql.runtime.RowRejection;
import dev.millrace.cql.runtime.SlotObjects;
import dev.millrace.cql.runtime.flow.Calc;
import dev.millrace.cql.runtime.flow.Delta;
import dev.millrace.cql.runtime.flow.FlowOperator;
import dev.millrace.cql.runtime.flow.FollowsTime;
import dev.millrace.cql.runtime.flow.PartitionTest;
import dev.millrace.cql.runtime.flow.ReplayOperator;
import dev.millrace.cql.runtime.flow.RowIndex;
import dev.millrace.cql.runtime.flow.RowRejectedException;
import dev.millrace.cql.runtime.flow.RowStore;
import dev.millrace.cql.runtime.pattern.attempt.AttemptPattern;
import java.util.Arrays;

/**
 * MATCH_RECOGNIZE for all patterns; it keeps the rows of matches. Rows of the result bear the time of their match,
 * which may be long past when it is decided: they leave through a {@link ReplayOperator} instead of the operator's
 * delta.
 *
 * <p>Threads: the engine's. Ownership: claims the rows that candidates need. Failure: a row that a condition cannot be
 * computed for is rejected and leaves no trace; a match whose measures cannot be computed is rejected; partial matches
 * beyond the bound are not followed, and that is counted as {@link AttemptPattern#TOO_MANY_RUNS}.
 */
public final class PatternOperator extends FlowOperator implements FollowsTime
{
    private static final int FIRST_LENGTH = 16;
    private static final int MAX_POOLED = 1024;
    private static final int MAX_POOLED_ROWS = 4096;
    /** An entry of its partition, and the last of its steps without registers. */
    private static final int MATCH_BYTES = 5 * Integer.BYTES + 2 * Long.BYTES;

    private final FlowOperator input;
    private final RowStore rows;
    private final RowStore arguments;
    private final Calc argumentCalc;
    private final PatternProgram program;
    private final PatternKernel kernel;
    private final ReplayOperator target;
    private final MatchQueue queue;
    private final Trails trails;
    private final CandidateView view;
    private final Stepper stepper;
    private final MatchMode mode;
    private final RowIndex partitions;
    private final TimingWheel timers = new TimingWheel();
    private final SlotClock holds = new SlotClock();
    private final int maxBack;
    private final boolean keepsPartitions;
    private final int maxRuns;
    private final int maxRows;
    private final int maxPartitions;
    private final boolean canHold;
    private final boolean readsAhead;
    private final IdleSweep idle;
    private final SlotObjects<Candidates> states = new SlotObjects<>();
    private final Candidates[] pool = new Candidates[MAX_POOLED];
    private int pooled;
    private long arrivals;
    private int[] path = new int[FIRST_LENGTH];

    /**
     * Makes an operator.
     *
     * @param input  stream
     * @param setup  what is looked for
     * @param result store for rows of matches
     * @param target where they go, over the same store
     */
    public PatternOperator(final FlowOperator input, final PatternSetup setup, final RowStore result,
        final ReplayOperator target)
    {
        super(result, input);
        this.input = input;
        this.target = target;
        rows = input.store();
        program = setup.program();
        kernel = setup.kernel();
        argumentCalc = setup.arguments();
        arguments = argumentCalc == null ? rows : new RowStore(setup.argumentLayout(), Integer.MAX_VALUE);
        maxRuns = setup.maxRuns();
        maxRows = setup.maxRows();
        maxPartitions = setup.maxPartitions();
        maxBack = program.maxBack();
        keepsPartitions = program.readsNumber();
        partitions = new RowIndex(rows, program.partitionBy());
        queue = new MatchQueue(result, target);
        final Registers registers = new Registers(program);
        trails = new Trails(registers.words(), program.needsTrail(), rows.memory());
        view = new CandidateView(program, registers, trails, rows, arguments, setup);
        stepper = new Stepper(program, kernel, registers, trails, view, rows, maxRuns);
        final Reports reports = new Reports();
        final PatternProgram.Rules rules = program.rules();
        mode = rules.durationNs() > 0 ? new DurationMode(program, trails, stepper, reports, rows) :
            rules.allMatches() ? new AllMatchesMode(program, trails, stepper, reports) :
            new FirstMatchMode(program, registers, trails, stepper, reports);
        readsAhead = program.readsAhead();
        canHold = !rules.allMatches() || readsAhead;
        idle = setup.idleNs() > 0 && program.partitionBy().length > 0 ?
            new IdleSweep(setup.idleNs(), rows.memory()) : null;
    }

    /**
     * Rows that a partition keeps beside those of partial matches.
     *
     * @param program pattern
     * @return at least the one that the partition is known by
     */
    public static int keptRows(final PatternProgram program)
    {
        return Math.max(1, program.maxBack());
    }

    /**
     * What each partial match takes beside the rows of its partition.
     *
     * @param program pattern
     * @return bytes, about
     */
    public static int matchSizeBytes(final PatternProgram program)
    {
        return MATCH_BYTES + Long.BYTES * new Registers(program).words();
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
        if (idle != null)
        {
            idle.sweep(nowNs, in.size(), this::endIdle);
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
            final long timeNs = timers.timeNs(slot);
            final Candidates candidates = states.get(slot);
            mode.fire(candidates, timeNs);
            mode.settle(candidates);
            putAwaitingOut(candidates, timeNs);
            tidy(slot, candidates, timeNs);
        }
    }

    private void take(final int row, final long nowNs)
    {
        if (rows.memory().isOverdrawn())
        {
            reject(MemoryAccount.MEMORY_FULL, rows.memory().shortage());
            return;
        }
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
        }
        else
        {
            partitions.replace(slot, row);
        }
        if (idle != null)
        {
            idle.touched(slot, nowNs);
        }
        final Candidates candidates = candidates(slot);
        if (candidates.next() - candidates.base() >= maxRows)
        {
            reject(RowRejection.STATE_FULL, "a partition of a pattern has more rows undecided than may be kept," +
                " maxRows=" + maxRows);
            putAwaitingOut(candidates, SlotClock.NEVER);
            mode.dropOldest(candidates);
            mode.settle(candidates);
        }
        try
        {
            append(candidates, row, nowNs);
        }
        catch (final RowRejectedException cause)
        {
            reject(cause);
            tidy(slot, candidates, nowNs);
            return;
        }
        step(candidates);
        tidy(slot, candidates, nowNs);
    }

    private Candidates candidates(final int slot)
    {
        states.reach(slot);
        if (states.get(slot) == null)
        {
            states.set(slot, pooled == 0 ? new Candidates() : pool[--pooled]);
        }
        return states.get(slot);
    }

    private void append(final Candidates candidates, final int row, final long nowNs)
    {
        int argumentRow = row;
        if (argumentCalc != null)
        {
            argumentRow = arguments.allocate();
            boolean isDone = false;
            try
            {
                argumentCalc.project(rows, row, arguments, argumentRow);
                isDone = true;
            }
            finally
            {
                if (!isDone)
                {
                    arguments.release(argumentRow);
                }
            }
        }
        rows.retain(row);
        candidates.append(row, argumentRow, nowNs, arrivals++);
    }

    private void step(final Candidates candidates)
    {
        final long sequence = candidates.next() - 1;
        try
        {
            mode.step(candidates, sequence);
        }
        catch (final RowRejectedException cause)
        {
            mode.abort();
            releaseRow(candidates, sequence);
            candidates.dropLast();
            reject(cause);
            return;
        }
        if (stepper.dropped() > 0)
        {
            reject(AttemptPattern.TOO_MANY_RUNS, AttemptPattern.tooMany(stepper.dropped(), maxRuns));
        }
        stepper.commit();
        mode.settle(candidates);
        stepper.end();
        putAwaitingOut(candidates, Long.MIN_VALUE);
    }

    /** Puts matches out whose rows have come, or none comes that counts: none does at the end of time. */
    private void putAwaitingOut(final Candidates candidates, final long nowNs)
    {
        final AwaitingMatches awaiting = candidates.awaiting();
        while (awaiting.size() > 0 && (awaiting.lastRead() < candidates.next() || awaitedUntilNs(candidates) <= nowNs))
        {
            final int node = awaiting.node(0);
            if (node == Trails.NONE)
            {
                putUnmatchedOut(candidates, awaiting.lastRead());
            }
            else
            {
                putOut(candidates, node, awaiting.number(), awaiting.timeNs());
                trails.release(node);
            }
            awaiting.removeFirst();
        }
    }

    /** When the first match that waits waits no longer. */
    private long awaitedUntilNs(final Candidates candidates)
    {
        final AwaitingMatches awaiting = candidates.awaiting();
        return awaiting.size() == 0 || program.rules().withinNs() == 0 ? SlotClock.NEVER :
            MatchMode.plus(candidates.timeNs(awaitedFrom(awaiting, 0)), program.rules().limitNs());
    }

    /** First row of what waits. */
    private long awaitedFrom(final AwaitingMatches awaiting, final int index)
    {
        final int node = awaiting.node(index);
        return node == Trails.NONE ? awaiting.lastRead(index) : trails.start(node);
    }

    private void putUnmatchedOut(final Candidates candidates, final long sequence)
    {
        view.lookAtRow(candidates, sequence);
        put(false, candidates.timeNs(sequence), candidates.arrival(sequence));
    }

    private void releaseRow(final Candidates candidates, final long sequence)
    {
        rows.release(candidates.row(sequence));
        if (argumentCalc != null)
        {
            arguments.release(candidates.argumentRow(sequence));
        }
    }

    /** Forgets what is not needed any more, and sets the times of the partition. */
    private void tidy(final int slot, final Candidates candidates, final long nowNs)
    {
        long oldest = candidates.isEmpty() ? candidates.next() : mode.start(candidates, candidates.head());
        final AwaitingMatches awaiting = candidates.awaiting();
        // Only with all matches a match may begin before one that was decided earlier.
        for (int i = 0; i < (program.rules().allMatches() ? awaiting.size() : Math.min(1, awaiting.size())); i++)
        {
            oldest = Math.min(oldest, awaitedFrom(awaiting, i));
        }
        while (candidates.base() < oldest - maxBack)
        {
            releaseRow(candidates, candidates.base());
            candidates.dropFirst();
        }
        timers.set(slot, Math.min(mode.timerNs(candidates, nowNs), awaitedUntilNs(candidates)));
        if (canHold)
        {
            long holdNs = mode.holdNs(candidates);
            if (awaiting.size() > 0)
            {
                holdNs = mode.earlier(holdNs, awaiting.timeNs(), candidates.arrival(awaitedFrom(awaiting, 0)));
            }
            holds.set(slot, holdNs, mode.holdArrival());
        }
        if (candidates.isEmpty() && candidates.base() == candidates.next() && !keepsPartitions)
        {
            candidates.reset();
            states.set(slot, null);
            partitions.remove(slot);
            if (idle != null)
            {
                idle.gone(slot);
            }
            if (pooled < pool.length && !candidates.isLarge(MAX_POOLED_ROWS))
            {
                pool[pooled++] = candidates;
            }
        }
    }

    /** Matches that were decided stay decided. */
    @Override
    protected void forget(final PartitionTest partitionsToForget, final int column)
    {
        for (final int slot : partitions.entriesOf(partitionsToForget, column))
        {
            forget(slot);
            if (idle != null)
            {
                idle.gone(slot);
            }
        }
        wakeAt(timers.wakeNs());
    }

    private void forget(final int slot)
    {
        final Candidates candidates = states.get(slot);
        if (candidates != null)
        {
            putAwaitingOut(candidates, SlotClock.NEVER);
            mode.forget(candidates);
            while (candidates.base() < candidates.next())
            {
                releaseRow(candidates, candidates.base());
                candidates.dropFirst();
            }
            states.set(slot, null);
        }
        timers.set(slot, SlotClock.NEVER);
        holds.set(slot, SlotClock.NEVER, 0);
        partitions.remove(slot);
    }

    /** No row has come for an idle state time: what is complete and only waits for further rows is a match. */
    private void endIdle(final int slot)
    {
        final Candidates candidates = states.get(slot);
        if (candidates != null && program.rules().durationNs() == 0)
        {
            mode.drop(candidates, 0, candidates.next(), true);
            mode.settle(candidates);
        }
        forget(slot);
    }

    @Override
    public long forgottenKeys()
    {
        return idle == null ? 0 : idle.forgotten();
    }

    @Override
    public long stateSize()
    {
        return partitions.size() + trails.size() + queue.size();
    }

    /** Puts the rows of a match out. */
    private void putOut(final Candidates candidates, final int node, final long number, final long timeNs)
    {
        final long arrival = candidates.arrival(trails.start(node));
        if (!program.rules().allRows() || trails.position(node) == PatternProgram.END)
        {
            view.look(candidates, node, node, number);
            put(true, timeNs, arrival);
            return;
        }
        int length = 0;
        for (int each = node; each != Trails.NONE; each = trails.parent(each))
        {
            if (length == path.length)
            {
                path = Arrays.copyOf(path, length * 2);
            }
            path[length++] = each;
        }
        for (int i = length - 1; i >= 0; i--)
        {
            if (!program.excluded()[trails.position(path[i])])
            {
                view.look(candidates, path[i], node, number);
                put(true, timeNs, arrival);
            }
        }
    }

    /** Computes a row from what the view looks at. */
    private void put(final boolean isMatch, final long timeNs, final long arrival)
    {
        int row = MatchView.NO_ROW;
        try
        {
            row = store().allocate();
            if (isMatch)
            {
                kernel.measures(view, rows, store(), row);
            }
            else
            {
                kernel.unmatched(view, rows, store(), row);
            }
            queue.add(row, timeNs, arrival);
        }
        catch (final RowRejectedException cause)
        {
            if (row != MatchView.NO_ROW)
            {
                store().release(row);
            }
            reject(cause);
        }
    }

    /** Takes what is decided. */
    private final class Reports implements MatchMode.Reports
    {
        @Override
        public void match(final Candidates candidates, final int node, final long timeNs)
        {
            final long number = candidates.nextMatch();
            if (trails.position(node) == PatternProgram.END && program.rules().omitsEmpty())
            {
                return;
            }
            if (readsAhead && awaits(candidates, node, number, timeNs))
            {
                return;
            }
            putOut(candidates, node, number, timeNs);
        }

        /** Lets a match wait for rows behind it, or for matches before it that wait. */
        private boolean awaits(final Candidates candidates, final int node, final long number, final long timeNs)
        {
            view.look(candidates, node, node, number);
            final long lastRead = view.lastRead();
            final AwaitingMatches awaiting = candidates.awaiting();
            if (awaiting.size() == 0 && lastRead < candidates.next())
            {
                return false;
            }
            if (awaiting.size() >= maxRuns)
            {
                reject(AttemptPattern.TOO_MANY_RUNS, "a match of a partition in which too many wait for rows behind " +
                    "them is left out, max-attempts=" + maxRuns);
                return true;
            }
            trails.retain(node);
            awaiting.add(node, number, timeNs, lastRead);
            return true;
        }

        @Override
        public void unmatched(final Candidates candidates, final long sequence)
        {
            if (candidates.awaiting().size() == 0)
            {
                putUnmatchedOut(candidates, sequence);
            }
            else
            {
                candidates.awaiting().add(Trails.NONE, 0, candidates.timeNs(sequence), sequence);
            }
        }

        @Override
        public void fault(final String reason, final String detail)
        {
            reject(reason, detail);
        }
    }
}
