package dev.millrace.cql.runtime.pattern;

import dev.millrace.cql.runtime.RowRejection;
import dev.millrace.cql.runtime.flow.AggregateFactory;
import dev.millrace.cql.runtime.flow.AggregateFunction;
import dev.millrace.cql.runtime.flow.RowStore;
import dev.millrace.cql.runtime.flow.Values;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A candidate as conditions and measures see it: from the row at hand (running) and from its last row (final).
 *
 * <p>Threads: the engine's.
 */
final class CandidateView extends MatchView
{
    private final PatternProgram program;
    private final Registers registers;
    private final Trails trails;
    private final RowStore rows;
    private final RowStore arguments;
    private final PatternKernel kernel;
    private final AggregateFactory[] factories;
    private final Object[] results;
    private final long[] resultStamps;
    private long stamp;
    private Candidates candidates;
    private final long[] running;
    private final long[] last;
    private int runningNode;
    private int lastNode;
    private int testedVariable = -1;
    private long testedSequence;
    private long matchNumber;
    private long ownRow;
    private int label;

    CandidateView(final PatternProgram program, final Registers registers, final Trails trails,
        final RowStore rows, final RowStore arguments, final PatternSetup setup)
    {
        this.rows = rows;
        kernel = setup.kernel();
        this.program = program;
        this.registers = registers;
        this.trails = trails;
        this.arguments = arguments;
        factories = setup.factories();
        running = new long[registers.words()];
        last = new long[registers.words()];
        results = new Object[program.aggregates().length];
        resultStamps = new long[results.length];
    }

    /**
     * Looks at a candidate with one more label, for a condition.
     *
     * @return registers with the label
     */
    long[] test(final Candidates of, final int node, final int variable, final long sequence)
    {
        stamp++;
        candidates = of;
        if (node == Trails.NONE)
        {
            registers.start(running);
        }
        else
        {
            trails.load(node, running);
        }
        registers.label(running, variable, sequence, of, arguments);
        runningNode = node;
        testedVariable = variable;
        testedSequence = sequence;
        return running;
    }

    /** Looks at a match from one of its rows. */
    void look(final Candidates of, final int node, final int finalNode, final long number)
    {
        stamp++;
        candidates = of;
        trails.load(node, running);
        trails.load(finalNode, last);
        runningNode = node;
        lastNode = finalNode;
        testedVariable = -1;
        matchNumber = number;
        ownRow = Math.max(trails.start(node), trails.end(node));
    }

    /** Stands on a row without match. */
    void lookAtRow(final Candidates of, final long sequence)
    {
        candidates = of;
        ownRow = sequence;
    }

    /** The youngest row that the measures of a match read, whether it has come or not. */
    long lastRead()
    {
        long youngest = trails.end(lastNode);
        for (int i = 0; i < program.navigations().length; i++)
        {
            final PatternProgram.Navigation which = program.navigations()[i];
            final long from = which.back() < 0 ? word(which.running(), registers.navigationWord(i)) : -1;
            if (from >= 0)
            {
                youngest = Math.max(youngest, from - which.back());
            }
        }
        return youngest;
    }

    private long word(final boolean isRunning, final int word)
    {
        return isRunning || testedVariable >= 0 ? running[word] : last[word];
    }

    @Override
    public int row(final int navigation)
    {
        final PatternProgram.Navigation which = program.navigations()[navigation];
        final long sequence = sequence(navigation);
        return sequence < 0 ? NO_ROW : candidates.row(sequence);
    }

    /** Number of a row in its partition; negative when there is none. */
    private long sequence(final int navigation)
    {
        final PatternProgram.Navigation which = program.navigations()[navigation];
        final long from = word(which.running(), registers.navigationWord(navigation));
        if (from < 0)
        {
            return NO_ROW;
        }
        final long sequence = from - which.back();
        final boolean isThere = candidates.holds(sequence) && (which.maxAgeNs() < 0 ||
            candidates.timeNs(from) - candidates.timeNs(sequence) <= which.maxAgeNs()) &&
            (which.back() >= 0 || sequence <= trails.end(lastNode) || isInTime(sequence));
        return isThere ? sequence : NO_ROW;
    }

    /** A match does not wait for rows that are out of its WITHIN: so it does not see them either. */
    private boolean isInTime(final long sequence)
    {
        return program.rules().withinNs() == 0 || candidates.timeNs(sequence) <
            MatchMode.plus(candidates.timeNs(trails.start(lastNode)), program.rules().limitNs());
    }

    @Override
    public boolean isNull(final int aggregate)
    {
        final PatternProgram.Aggregate which = program.aggregates()[aggregate];
        final int word = registers.aggregateWord(aggregate);
        return switch (which.kind())
        {
            case COUNT, COUNT_ROWS -> false;
            case SUM_LONG, AVG_LONG -> word(which.running(), word + 1) == 0;
            case SUM_DOUBLE, AVG_DOUBLE -> word(which.running(), word + 2) == 0;
            case MIN, MAX -> word(which.running(), word) < 0;
            case FUNCTION -> function(aggregate) == null;
        };
    }

    @Override
    public long longValue(final int aggregate)
    {
        final PatternProgram.Aggregate which = program.aggregates()[aggregate];
        final int word = registers.aggregateWord(aggregate);
        return switch (which.kind())
        {
            case COUNT, COUNT_ROWS, SUM_LONG -> word(which.running(), word);
            case MIN, MAX -> arguments.getLong(extreme(which, word), which.columns()[0]);
            case FUNCTION -> function(aggregate) instanceof Boolean flag ? flag ? 1 : 0 :
                ((Number)function(aggregate)).longValue();
            default -> throw new IllegalStateException("no integer, kind=" + which.kind());
        };
    }

    private int extreme(final PatternProgram.Aggregate which, final int word)
    {
        return candidates.argumentRow(word(which.running(), word));
    }

    @Override
    public double doubleValue(final int aggregate)
    {
        final PatternProgram.Aggregate which = program.aggregates()[aggregate];
        final int word = registers.aggregateWord(aggregate);
        final long[] words = which.running() || testedVariable >= 0 ? running : last;
        return switch (which.kind())
        {
            case SUM_DOUBLE -> Registers.sum(words, word);
            case AVG_DOUBLE -> Registers.sum(words, word) / words[word + 2];
            case AVG_LONG -> (double)words[word] / words[word + 1];
            case SUM_LONG -> words[word];
            case MIN, MAX -> arguments.getDouble(extreme(which, word), which.columns()[0]);
            case FUNCTION -> ((Number)function(aggregate)).doubleValue();
            default -> throw new IllegalStateException("no floating value, kind=" + which.kind());
        };
    }

    @Override
    public Object reference(final int aggregate)
    {
        final PatternProgram.Aggregate which = program.aggregates()[aggregate];
        if (which.kind() == PatternProgram.AggregateKind.FUNCTION)
        {
            return function(aggregate);
        }
        final long sequence = word(which.running(), registers.aggregateWord(aggregate));
        return sequence < 0 ? null : arguments.getReference(candidates.argumentRow(sequence), which.columns()[0]);
    }

    private Object function(final int aggregate)
    {
        if (resultStamps[aggregate] != stamp)
        {
            results[aggregate] = compute(aggregate);
            resultStamps[aggregate] = stamp;
        }
        return results[aggregate];
    }

    private Object compute(final int aggregate)
    {
        final PatternProgram.Aggregate which = program.aggregates()[aggregate];
        try
        {
            final AggregateFunction function = factories[aggregate].newAggregate();
            function.reset();
            final Set<List<Object>> seen = new HashSet<>();
            for (final long sequence : labelled(which))
            {
                final Object[] values = new Object[which.columns().length];
                boolean hasNull = false;
                label = which.ofMatch() ? labelOf(sequence) : -1;
                for (int i = 0; i < values.length; i++)
                {
                    values[i] = which.ofMatch() ?
                        kernel.argument(aggregate, i, this, rows, candidates.row(sequence)) :
                        arguments.value(candidates.argumentRow(sequence), which.columns()[i]);
                    hasNull |= values[i] == null;
                }
                if (!hasNull && (!which.distinct() ||
                    seen.add(Arrays.stream(values).map(CandidateView::comparable).toList())))
                {
                    function.plus(values);
                }
            }
            return function.value();
        }
        // Functions are written by users: they may throw anything.
        catch (final Throwable failure)
        {
            throw Values.failed(RowRejection.AGGREGATE_FAILED, "function=" + which.function(), failure);
        }
    }

    /** An object that equals another one where the values are equal in CQL. */
    private static Object comparable(final Object value)
    {
        if (value instanceof Double number)
        {
            return number + 0.0;
        }
        if (value instanceof Float number)
        {
            return number + 0.0f;
        }
        if (value instanceof BigDecimal number)
        {
            return number.stripTrailingZeros();
        }
        return value instanceof byte[] bytes ? ByteBuffer.wrap(bytes) : value;
    }

    private List<Long> labelled(final PatternProgram.Aggregate which)
    {
        final List<Long> sequences = new ArrayList<>();
        if (testedVariable >= 0 && (which.variables() & 1L << testedVariable) != 0)
        {
            sequences.add(testedSequence);
        }
        int node = testedVariable >= 0 || which.running() ? runningNode : lastNode;
        while (node != Trails.NONE)
        {
            final int position = trails.position(node);
            if (position >= 0 && (which.variables() & 1L << program.labels()[position]) != 0)
            {
                sequences.add(trails.end(node));
            }
            node = trails.parent(node);
        }
        Collections.reverse(sequences);
        return sequences;
    }

    @Override
    public String classifier(final int classifier)
    {
        final PatternProgram.Classifier which = program.classifiers()[classifier];
        final long variable;
        if (which.isNavigated())
        {
            final long sequence = sequence(which.navigation());
            variable = sequence < 0 ? -1 : labelOf(sequence);
        }
        else
        {
            variable = word(which.running(), registers.classifierWord(classifier));
        }
        return variable < 0 ? null : program.variables()[(int)variable];
    }

    /** Variable of a row; negative for one that is not in the match. */
    private int labelOf(final long sequence)
    {
        if (testedVariable >= 0 && sequence == testedSequence)
        {
            return testedVariable;
        }
        int node = testedVariable >= 0 ? runningNode : lastNode;
        while (node != Trails.NONE && trails.end(node) > sequence)
        {
            node = trails.parent(node);
        }
        return node == Trails.NONE || trails.position(node) < 0 || trails.end(node) != sequence ? -1 :
            program.labels()[trails.position(node)];
    }

    @Override
    public int rowAtHand()
    {
        return candidates.row(ownRow);
    }

    @Override
    public String label()
    {
        return program.variables()[label];
    }

    @Override
    public long matchNumber()
    {
        return matchNumber;
    }
}
