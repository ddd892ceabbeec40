package dev.millrace.cql.runtime.pattern;

import dev.millrace.cql.runtime.flow.RowStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What a candidate remembers of its labels, as words that are brought up to date with each row: which rows navigations
 * mean, counts and sums. Words that conditions read come first, so that two candidates equal in them are equal in all
 * that may still happen to them. Immutable.
 */
final class Registers
{
    private static final int WORDS_OF_SUM = 3;

    /** Kinds of registers. */
    private enum Kind
    {
        /** Number of rows so far, and the row with a given number from the start. */
        FIRST,
        /** The last rows, youngest first. */
        LAST,
        /** Variable of the last row. */
        LABEL,
        /** Rows. */
        COUNT_ROWS,
        /** Rows whose argument is not null. */
        COUNT,
        /** Sum and number of values. */
        SUM_LONG,
        /** Sum, its compensation and number of values. */
        SUM_DOUBLE,
        /** Row of the least. */
        MIN,
        /** Row of the greatest. */
        MAX
    }

    /** One register. */
    private record Register(Kind kind, long variables, int depth, int column, int word)
    {
        boolean isSame(final Kind otherKind, final long otherVariables, final int otherDepth, final int otherColumn)
        {
            return kind == otherKind && variables == otherVariables && depth == otherDepth && column == otherColumn;
        }

        int words()
        {
            return switch (kind)
            {
                case FIRST, SUM_LONG -> 2;
                case LAST -> depth + 1;
                case SUM_DOUBLE -> WORDS_OF_SUM;
                default -> 1;
            };
        }
    }

    private final List<Register> registers = new ArrayList<>();
    private final Register[][] ofVariable;
    private final int[] navigationWords;
    private final int[] aggregateWords;
    private final int[] classifierWords;
    private int skipWord = -1;
    private int words;
    private final int conditionWords;
    private final long[] initial;

    Registers(final PatternProgram program)
    {
        navigationWords = new int[program.navigations().length];
        aggregateWords = new int[program.aggregates().length];
        classifierWords = new int[program.classifiers().length];
        addAll(program, true);
        conditionWords = words;
        addAll(program, false);
        final PatternProgram.Rules rules = program.rules();
        if (rules.skip() == PatternProgram.Skip.TO_FIRST)
        {
            skipWord = add(Kind.FIRST, rules.skipVariables(), 0, 0) + 1;
        }
        else if (rules.skip() == PatternProgram.Skip.TO_LAST)
        {
            skipWord = add(Kind.LAST, rules.skipVariables(), 0, 0);
        }
        initial = new long[words];
        ofVariable = new Register[program.variables().length][];
        for (int i = 0; i < ofVariable.length; i++)
        {
            final long bit = 1L << i;
            ofVariable[i] = registers.stream().filter(each -> (each.variables & bit) != 0).toArray(Register[]::new);
        }
        for (final Register register : registers)
        {
            switch (register.kind)
            {
                case FIRST -> initial[register.word + 1] = -1;
                case LAST -> Arrays.fill(initial, register.word, register.word + register.words(), -1);
                case LABEL, MIN, MAX -> initial[register.word] = -1;
                default ->
                {
                    // Counts and sums begin at 0.
                }
            }
        }
    }

    private void addAll(final PatternProgram program, final boolean forConditions)
    {
        for (int i = 0; i < navigationWords.length; i++)
        {
            final PatternProgram.Navigation each = program.navigations()[i];
            if (each.inCondition() == forConditions)
            {
                navigationWords[i] = each.isFirst() ? add(Kind.FIRST, each.variables(), each.offset(), 0) + 1 :
                    add(Kind.LAST, each.variables(), each.offset(), 0) + each.offset();
            }
        }
        for (int i = 0; i < aggregateWords.length; i++)
        {
            final PatternProgram.Aggregate each = program.aggregates()[i];
            if (each.inCondition() == forConditions && each.kind() != PatternProgram.AggregateKind.FUNCTION)
            {
                aggregateWords[i] = add(kind(each), each.variables(), 0, each.columns().length == 0 ? 0 :
                    each.columns()[0]);
            }
        }
        for (int i = 0; i < classifierWords.length; i++)
        {
            final PatternProgram.Classifier each = program.classifiers()[i];
            if (each.inCondition() == forConditions && !each.isNavigated())
            {
                classifierWords[i] = add(Kind.LABEL, each.variables(), 0, 0);
            }
        }
    }

    private static Kind kind(final PatternProgram.Aggregate aggregate)
    {
        return switch (aggregate.kind())
        {
            case COUNT_ROWS -> Kind.COUNT_ROWS;
            case COUNT -> Kind.COUNT;
            case SUM_LONG, AVG_LONG -> Kind.SUM_LONG;
            case SUM_DOUBLE, AVG_DOUBLE -> Kind.SUM_DOUBLE;
            case MIN -> Kind.MIN;
            case MAX -> Kind.MAX;
            case FUNCTION -> throw new IllegalArgumentException("no register, function=" + aggregate.function());
        };
    }

    private int add(final Kind kind, final long variables, final int depth, final int column)
    {
        for (final Register register : registers)
        {
            if (register.isSame(kind, variables, depth, column))
            {
                return register.word;
            }
        }
        final Register register = new Register(kind, variables, depth, column, words);
        registers.add(register);
        words += register.words();
        return register.word;
    }

    int words()
    {
        return words;
    }

    /** How many of the words, from the first, conditions read. */
    int conditionWords()
    {
        return conditionWords;
    }

    /** Word that holds the row of a navigation. */
    int navigationWord(final int navigation)
    {
        return navigationWords[navigation];
    }

    int aggregateWord(final int aggregate)
    {
        return aggregateWords[aggregate];
    }

    int classifierWord(final int classifier)
    {
        return classifierWords[classifier];
    }

    /** Word that holds the row to which AFTER MATCH SKIP goes. */
    int skipWord()
    {
        return skipWord;
    }

    /** Before the first row. */
    void start(final long[] to)
    {
        System.arraycopy(initial, 0, to, 0, words);
    }

    /**
     * Labels a row.
     *
     * @param words      from 0
     * @param variable   label
     * @param sequence   row
     * @param candidates partition
     * @param arguments  store of argument rows; may be null without aggregates
     */
    void label(final long[] words, final int variable, final long sequence, final Candidates candidates,
        final RowStore arguments)
    {
        for (final Register register : ofVariable[variable])
        {
            final int word = register.word;
            switch (register.kind)
            {
                case FIRST ->
                {
                    if (words[word] == register.depth)
                    {
                        words[word + 1] = sequence;
                    }
                    // Once the row is known the number does not matter: equal candidates shall look equal.
                    words[word] = Math.min(words[word] + 1, register.depth + 1L);
                }
                case LAST ->
                {
                    System.arraycopy(words, word, words, word + 1, register.depth);
                    words[word] = sequence;
                }
                case LABEL -> words[word] = variable;
                case COUNT_ROWS -> words[word]++;
                default -> accumulate(register, words, sequence, candidates, arguments);
            }
        }
    }

    private static void accumulate(final Register register, final long[] words, final long sequence,
        final Candidates candidates, final RowStore arguments)
    {
        final int row = candidates.argumentRow(sequence);
        if (arguments.isNull(row, register.column))
        {
            return;
        }
        final int word = register.word;
        switch (register.kind)
        {
            case COUNT -> words[word]++;
            case SUM_LONG ->
            {
                words[word] += arguments.getLong(row, register.column);
                words[word + 1]++;
            }
            case SUM_DOUBLE ->
            {
                add(words, word, arguments.getDouble(row, register.column));
                words[word + 2]++;
            }
            case MIN, MAX ->
            {
                final int best = words[word] < 0 ? row : candidates.argumentRow(words[word]);
                final int order = RowStore.compare(arguments, row, register.column, arguments, best, register.column);
                if (words[word] < 0 || (register.kind == Kind.MIN ? order < 0 : order > 0))
                {
                    words[word] = sequence;
                }
            }
            default -> throw new IllegalStateException("kind=" + register.kind);
        }
    }

    /** Neumaier's compensated sum. */
    private static void add(final long[] words, final int word, final double value)
    {
        final double sum = Double.longBitsToDouble(words[word]);
        final double total = sum + value;
        final double lost = Math.abs(sum) >= Math.abs(value) ? sum - total + value : value - total + sum;
        words[word] = Double.doubleToRawLongBits(total);
        words[word + 1] = Double.doubleToRawLongBits(Double.longBitsToDouble(words[word + 1]) + lost);
    }

    /** Value of a compensated sum. */
    static double sum(final long[] words, final int word)
    {
        final double total = Double.longBitsToDouble(words[word]);
        final double compensation = Double.longBitsToDouble(words[word + 1]);
        return Double.isFinite(total) ? total + compensation : total;
    }
}
