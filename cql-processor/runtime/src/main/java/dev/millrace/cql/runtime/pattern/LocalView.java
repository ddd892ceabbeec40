package dev.millrace.cql.runtime.pattern;

import dev.millrace.cql.runtime.SlotInts;
import java.util.Arrays;

/**
 * What conditions and measures see of a row-local pattern: conditions the row at hand and rows physically before it,
 * measures the rows that a run has remembered in its registers.
 *
 * <p>Threads: the engine's.
 */
final class LocalView extends MatchView
{
    private final PatternProgram program;
    private final int depth;
    /** Register of each navigation; -1 for those that only conditions read. */
    private final int[] registers;
    private final PatternProgram.Navigation[] navigations;
    /** The last rows of each partition before the one at hand, youngest first. */
    private final SlotInts kept;
    private int base;
    private int row;
    private LocalRuns runs;
    private int run;

    LocalView(final PatternProgram program, final SlotInts kept, final int depth)
    {
        this.program = program;
        this.kept = kept;
        this.depth = depth;
        registers = new int[program.navigations().length];
        final PatternProgram.Navigation[] found = new PatternProgram.Navigation[registers.length];
        int count = 0;
        for (int i = 0; i < registers.length; i++)
        {
            final boolean isRead = program.navigations()[i].inMeasure();
            registers[i] = isRead ? count : NO_ROW;
            if (isRead)
            {
                found[count++] = program.navigations()[i];
            }
        }
        navigations = Arrays.copyOf(found, count);
    }

    int registerCount()
    {
        return navigations.length;
    }

    /** Registers that rows of a variable go to. */
    int[] registersOf(final int variable)
    {
        final int[] found = new int[navigations.length];
        int count = 0;
        for (int i = 0; i < found.length; i++)
        {
            if ((navigations[i].variables() & 1L << variable) != 0)
            {
                found[count++] = i;
            }
        }
        return Arrays.copyOf(found, count);
    }

    /** Whether a register keeps the first row that it gets. */
    boolean isFirst(final int register)
    {
        return navigations[register].isFirst();
    }

    /** Stands on a row of a partition. */
    void standOn(final int slot, final int partitionRow)
    {
        base = slot * depth;
        row = partitionRow;
        runs = null;
    }

    /** Looks at a match. */
    void look(final LocalRuns of, final int match)
    {
        runs = of;
        run = match;
    }

    /** The row that a register gets when the row at hand is labelled. */
    int captured(final int register)
    {
        return back(navigations[register].back());
    }

    private int back(final int distance)
    {
        return distance == 0 ? row : kept.get(base + distance - 1);
    }

    @Override
    public int row(final int navigation)
    {
        return runs == null ? back(program.navigations()[navigation].back()) :
            Math.max(runs.register(run, registers[navigation]), NO_ROW);
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
        throw new IllegalStateException("no columns of rows here");
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
