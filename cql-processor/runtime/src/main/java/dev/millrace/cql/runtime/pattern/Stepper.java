package dev.millrace.cql.runtime.pattern;

import dev.millrace.cql.runtime.flow.RowStore;
import java.util.Arrays;

/**
 * Lets the runs of a partition take a row. The runs after the row are gathered here and take the place of those before
 * it only when all went well: a row that a condition cannot be computed for leaves no trace.
 *
 * <p>A condition that reads only the row is computed once a row; others once a labelling, however many runs share it.
 * A run that is equal to a preferred one in all that may still happen to it is dropped. Its arrays hold the runs after
 * one row, which it writes all anyway.
 *
 * <p>Threads: the engine's.
 */
final class Stepper
{
    private static final int FIRST_LENGTH = 16;
    private static final int VARIABLE_BITS = 6;
    private static final int EXCLUDED = 1 << VARIABLE_BITS;

    private final PatternProgram program;
    private final PatternKernel kernel;
    private final Registers registers;
    private final Trails trails;
    private final CandidateView view;
    private final RowStore rows;
    private final boolean isAmbiguous;
    private final boolean mergesEqual;
    private final boolean mergesStarts;
    private final int maxRuns;
    private final StepTable children = new StepTable();
    private final StepTable seen = new StepTable();
    private final WaitingMatches waiting = new WaitingMatches();
    private int[] positions = new int[FIRST_LENGTH];
    private int[] nodes = new int[FIRST_LENGTH];
    private int count;
    private int[] created = new int[FIRST_LENGTH];
    private int createdCount;
    private Candidates candidates;
    private long sequence;
    private long tested;
    private long passed;
    private int dropped;

    Stepper(final PatternProgram program, final PatternKernel kernel, final Registers registers, final Trails trails,
        final CandidateView view, final RowStore rows, final int maxRuns)
    {
        this.program = program;
        this.kernel = kernel;
        this.registers = registers;
        this.trails = trails;
        this.view = view;
        this.rows = rows;
        this.maxRuns = maxRuns;
        isAmbiguous = program.isAmbiguous();
        final PatternProgram.Rules rules = program.rules();
        // Registers do not tell what a condition computes over all rows anew, such as count(distinct x), nor labels of
        // rows in between.
        mergesEqual = !rules.allMatches() && Arrays.stream(program.aggregates()).noneMatch(each ->
            each.inCondition() && each.kind() == PatternProgram.AggregateKind.FUNCTION) &&
            Arrays.stream(program.classifiers()).noneMatch(each -> each.inCondition() && each.isNavigated());
        mergesStarts = mergesEqual && rules.durationNs() == 0 && rules.withinNs() == 0 &&
            rules.skip() == PatternProgram.Skip.PAST_LAST_ROW;
    }

    void begin(final Candidates of, final long row)
    {
        candidates = of;
        sequence = row;
        tested = program.unconditional();
        passed = tested;
        count = 0;
        createdCount = 0;
        dropped = 0;
        seen.clear();
        waiting.clear();
        if (isAmbiguous)
        {
            children.clear();
        }
    }

    /**
     * Labels the row with the variable of a position.
     *
     * @param parent labelling so far
     * @return longer labelling, {@link Trails#NONE} when the condition does not hold
     */
    int child(final int parent, final int position)
    {
        final int variable = program.labels()[position];
        final long key = (long)(parent + 1) << VARIABLE_BITS + 1 | variable |
            (program.excluded()[position] ? EXCLUDED : 0);
        if (isAmbiguous)
        {
            final int known = children.get(key);
            if (known != StepTable.MISSING)
            {
                return known;
            }
        }
        final long[] words = accept(parent, variable);
        int child = Trails.NONE;
        if (words != null)
        {
            final long start = parent == Trails.NONE ? sequence : trails.start(parent);
            child = trails.add(parent, position, start, sequence, words);
            remember(child);
        }
        if (isAmbiguous)
        {
            children.put(key, child);
        }
        return child;
    }

    private void remember(final int node)
    {
        if (createdCount == created.length)
        {
            created = Arrays.copyOf(created, createdCount * 2);
        }
        created[createdCount++] = node;
    }

    private long[] accept(final int parent, final int variable)
    {
        final long bit = 1L << variable;
        if ((program.rowLocal() & bit) != 0 && (tested & bit) == 0)
        {
            view.test(candidates, Trails.NONE, variable, sequence);
            passed |= kernel.test(variable, view, rows) ? bit : 0;
            tested |= bit;
        }
        if ((tested & bit) != 0)
        {
            return (passed & bit) == 0 ? null : view.test(candidates, parent, variable, sequence);
        }
        final long[] words = view.test(candidates, parent, variable, sequence);
        return kernel.test(variable, view, rows) ? words : null;
    }

    /**
     * A labelling of no row, which begins before the row.
     *
     * @return node
     */
    int empty(final long[] scratch)
    {
        registers.start(scratch);
        final int node = trails.add(Trails.NONE, PatternProgram.END, sequence, sequence - 1, scratch);
        remember(node);
        return node;
    }

    /**
     * Adds a run, unless it is equal to one before.
     *
     * @return whether it was new
     */
    boolean add(final int position, final int node)
    {
        if (mergesEqual || isAmbiguous)
        {
            final long key = key(position, node);
            final int same = seen.get(key);
            if (same == StepTable.MISSING)
            {
                seen.put(key, count);
            }
            else if (positions[same] == position && isEqual(nodes[same], node))
            {
                if (!mergesStarts || waiting.sharesFate(trails.start(nodes[same]), trails.start(node)))
                {
                    return false;
                }
                seen.put(key, count);
            }
        }
        put(position, node);
        return true;
    }

    private long key(final int position, final int node)
    {
        if (!mergesEqual)
        {
            return (long)node << Integer.SIZE | position;
        }
        final long hash = (trails.hash(node, registers.conditionWords()) + position) * 0xD1342543DE82EF95L;
        return mergesStarts ? hash : hash ^ trails.start(node) * 0x9E3779B97F4A7C15L;
    }

    private boolean isEqual(final int a, final int b)
    {
        return a == b || mergesEqual && trails.isEqual(a, b, registers.conditionWords()) &&
            (mergesStarts || trails.start(a) == trails.start(b));
    }

    /** Adds an entry as it is. */
    void put(final int position, final int node)
    {
        if (count >= maxRuns)
        {
            dropped++;
            return;
        }
        if (position == Candidates.DONE)
        {
            waiting.add(trails.start(node), trails.end(node));
        }
        if (count == positions.length)
        {
            positions = Arrays.copyOf(positions, count * 2);
            nodes = Arrays.copyOf(nodes, count * 2);
        }
        trails.retain(node);
        positions[count] = position;
        nodes[count++] = node;
    }

    /** The new entries take the place of the old ones; new labellings live until {@link #end}. */
    void commit()
    {
        for (int i = candidates.head(); i < candidates.limit(); i++)
        {
            trails.release(candidates.node(i));
        }
        candidates.replace(positions, nodes, count);
        count = 0;
    }

    /** Forgets the new entries. */
    void abort()
    {
        for (int i = 0; i < count; i++)
        {
            trails.release(nodes[i]);
        }
        count = 0;
        end();
    }

    /** Gives up what nobody claims. */
    void end()
    {
        for (int i = 0; i < createdCount; i++)
        {
            trails.release(created[i]);
        }
        createdCount = 0;
    }

    /** Runs that had no room in this step. */
    int dropped()
    {
        return dropped;
    }
}
