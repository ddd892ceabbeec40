package dev.millrace.cql.runtime.pattern;

import dev.millrace.cql.runtime.RowRejection;
import dev.millrace.cql.runtime.SlotInts;
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
 * MATCH_RECOGNIZE for patterns of a fixed number of rows: a partition has its last few rows and a bit for each
 * beginning of the pattern that they are; where each row of a match lies is known beforehand.
 *
 * <p>Threads: the engine's. Ownership: claims the rows that it keeps. Failure: as {@link PatternOperator}.
 */
public final class FixedPatternOperator extends FlowOperator implements FollowsTime
{
    private static final int MAX_ROWS = 16;
    private static final int NO_ROW = MatchView.NO_ROW;

    private final FlowOperator input;
    private final RowStore rows;
    private final PatternProgram program;
    private final PatternKernel kernel;
    private final ReplayOperator target;
    private final MatchQueue queue;
    private final RowIndex partitions;
    private final int maxPartitions;
    private final int length;
    private final boolean clears;
    private final int depth;
    private final boolean forgets;
    private final View view = new View();
    /** For each row of the pattern under test and each navigation: how many rows back; -1 when there is none. */
    private final int[][] distances;
    /** The last rows of each partition, youngest first. */
    private final SlotInts kept = new SlotInts();
    /** Low bits of their numbers in the stream. */
    private final SlotInts arrivals = new SlotInts();
    private final SlotInts live = new SlotInts();
    private long nextArrival;

    /**
     * Makes an operator.
     *
     * @param input  stream
     * @param setup  what is looked for; {@link #isSuitable}
     * @param result store for rows of matches
     * @param target where they go, over the same store
     */
    public FixedPatternOperator(final FlowOperator input, final PatternSetup setup, final RowStore result,
        final ReplayOperator target)
    {
        super(result, input);
        this.input = input;
        this.target = target;
        rows = input.store();
        program = setup.program();
        kernel = setup.kernel();
        maxPartitions = setup.maxPartitions();
        length = program.labels().length;
        clears = !program.rules().allMatches() && program.rules().skip() == PatternProgram.Skip.PAST_LAST_ROW;
        partitions = RowIndex.unique(rows, program.partitionBy());
        queue = new MatchQueue(result, target);
        distances = new int[length][program.navigations().length];
        int deepest = length - 1;
        for (int i = 0; i < length; i++)
        {
            for (int j = 0; j < distances[i].length; j++)
            {
                distances[i][j] = distance(program.navigations()[j], i);
                deepest = Math.max(deepest, distances[i][j]);
            }
        }
        depth = deepest;
        forgets = program.maxBack() == 0;
    }

    /**
     * Whether a pattern can be run by this operator.
     *
     * @param program pattern
     * @return true for one after the other of a few single rows, without times and aggregates
     */
    public static boolean isSuitable(final PatternProgram program)
    {
        final PatternProgram.Rules rules = program.rules();
        final boolean isPlain = rules.withinNs() == 0 && rules.durationNs() == 0 && !rules.allRows() &&
            (rules.skip() == PatternProgram.Skip.PAST_LAST_ROW || rules.skip() == PatternProgram.Skip.TO_NEXT_ROW) &&
            program.aggregates().length == 0 && program.classifiers().length == 0 && !program.readsNumber();
        final int length = program.labels().length;
        if (!isPlain || length < 2 || length > MAX_ROWS || program.maxBack() > MAX_ROWS ||
            !Arrays.equals(program.first(), new int[]{0}))
        {
            return false;
        }
        for (int i = 0; i < length; i++)
        {
            if (!Arrays.equals(program.follow()[i], new int[]{i == length - 1 ? PatternProgram.END : i + 1}))
            {
                return false;
            }
        }
        return Arrays.stream(program.navigations()).allMatch(each ->
            each.maxAgeNs() < 0 && each.back() >= 0);
    }

    private int distance(final PatternProgram.Navigation navigation, final int last)
    {
        int left = navigation.offset();
        for (int i = 0; i <= last; i++)
        {
            final int position = navigation.isFirst() ? i : last - i;
            if ((navigation.variables() & 1L << program.labels()[position]) != 0 && left-- == 0)
            {
                return Math.max(last - position + navigation.back(), NO_ROW);
            }
        }
        return NO_ROW;
    }

    @Override
    protected void process(final long nowNs)
    {
        final Delta in = input.delta();
        for (int i = 0; i < in.size(); i++)
        {
            if (in.isPlus(i))
            {
                take(in.row(i), nowNs);
            }
        }
        progress(nowNs);
    }

    @Override
    public void progress(final long closedNs)
    {
        queue.release(closedNs, SlotClock.NEVER, 0);
        target.close(closedNs);
    }

    private void take(final int row, final long nowNs)
    {
        int slot = partitions.find(row);
        if (slot == RowIndex.NONE)
        {
            if (partitions.size() >= maxPartitions)
            {
                reject(RowRejection.STATE_FULL, "more partitions than may be kept, maxPartitions=" + maxPartitions);
                return;
            }
            slot = partitions.add(row);
            open(slot);
        }
        final long arrival = nextArrival++;
        final int next;
        try
        {
            next = step(slot, row, nowNs);
        }
        catch (final RowRejectedException cause)
        {
            reject(cause);
            return;
        }
        if (next == 0 && forgets)
        {
            for (int i = 0; i < depth && kept.get(slot * depth + i) != NO_ROW; i++)
            {
                rows.release(kept.get(slot * depth + i));
            }
            partitions.remove(slot);
            return;
        }
        live.set(slot, next);
        partitions.replace(slot, row);
        push(slot, row, arrival);
    }

    private void open(final int slot)
    {
        live.reach(slot);
        live.set(slot, 0);
        for (int i = slot * depth; i < (slot + 1) * depth; i++)
        {
            kept.reach(i);
            arrivals.reach(i);
            kept.set(i, NO_ROW);
        }
    }

    private void push(final int slot, final int row, final long arrival)
    {
        final int base = slot * depth;
        final int oldest = kept.get(base + depth - 1);
        if (oldest != NO_ROW)
        {
            rows.release(oldest);
        }
        for (int i = depth - 1; i > 0; i--)
        {
            kept.set(base + i, kept.get(base + i - 1));
            arrivals.set(base + i, arrivals.get(base + i - 1));
        }
        rows.retain(row);
        kept.set(base, row);
        arrivals.set(base, (int)arrival);
    }

    /** Tests the row; gives the beginnings that the rows are now, bit i for i rows. */
    private int step(final int slot, final int row, final long nowNs)
    {
        view.base = slot * depth;
        view.row = row;
        int next = 0;
        boolean isComplete = false;
        // Oldest start first.
        for (int i = length - 1; i >= 0; i--)
        {
            if (i > 0 && (live.get(slot) & 1 << i) == 0)
            {
                continue;
            }
            view.distances = distances[i];
            final int variable = program.labels()[i];
            if ((program.unconditional() & 1L << variable) == 0 && !kernel.test(variable, view, rows))
            {
                continue;
            }
            if (i == length - 1)
            {
                isComplete = true;
                if (clears)
                {
                    break;
                }
            }
            else
            {
                next |= 1 << i + 1;
            }
        }
        if (isComplete)
        {
            final int first = arrivals.get(view.base + length - 2);
            report(nowNs, nextArrival - Integer.toUnsignedLong((int)nextArrival - first));
        }
        return next;
    }

    private void report(final long nowNs, final long arrival)
    {
        view.distances = distances[length - 1];
        int result = NO_ROW;
        try
        {
            result = store().allocate();
            kernel.measures(view, rows, store(), result);
            queue.add(result, nowNs, arrival);
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

    /** Matches that were found stay found. */
    @Override
    protected void forget(final PartitionTest partitionsToForget, final int column)
    {
        for (final int slot : partitions.entriesOf(partitionsToForget, column))
        {
            for (int i = 0; i < depth && kept.get(slot * depth + i) != NO_ROW; i++)
            {
                rows.release(kept.get(slot * depth + i));
            }
            partitions.remove(slot);
        }
    }

    @Override
    public long stateSize()
    {
        return partitions.size();
    }

    /** Rows of a match by their distance from the last one. */
    private final class View extends MatchView
    {
        private int base;
        private int row;
        private int[] distances;

        @Override
        public int row(final int navigation)
        {
            final int distance = distances[navigation];
            return distance > 0 ? kept.get(base + distance - 1) : distance == 0 ? row : NO_ROW;
        }

        @Override
        public boolean isNull(final int aggregate)
        {
            throw new IllegalStateException("no aggregates here");
        }

        @Override
        public long longValue(final int aggregate)
        {
            throw new IllegalStateException("no aggregates here");
        }

        @Override
        public double doubleValue(final int aggregate)
        {
            throw new IllegalStateException("no aggregates here");
        }

        @Override
        public Object reference(final int aggregate)
        {
            throw new IllegalStateException("no aggregates here");
        }

        @Override
        public String classifier(final int classifier)
        {
            throw new IllegalStateException("no classifiers here");
        }

        @Override
        public int rowAtHand()
        {
            return row;
        }

        @Override
        public String label()
        {
            throw new IllegalStateException("no classifiers here");
        }

        @Override
        public long matchNumber()
        {
            throw new IllegalStateException("no numbers here");
        }
    }
}
