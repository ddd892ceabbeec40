package dev.millrace.cql.compiler.pattern;

import dev.millrace.api.event.ColumnStorage;
import dev.millrace.api.event.CqlType;
import dev.millrace.cql.plan.Conditions;
import dev.millrace.cql.plan.Expression;
import dev.millrace.cql.plan.PatternExpression;
import dev.millrace.cql.plan.PatternExpression.End;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.PatternSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Where the values lie that a pattern without kept rows reads: columns of the row at hand, of rows before it in the
 * partition, and registers of an attempt that each row brings up to date.
 *
 * <p>Immutable after it is made.
 */
public final class AttemptLayout
{
    /** Flags of an attempt: one says that it is complete. */
    static final int COMPLETE = 0;
    private static final int MAX_ATTEMPT_FLAGS = 24;
    /** Flags of a partition, without the one for its deadline. */
    private static final int MAX_PARTITION_FLAGS = 31;

    /** What a register remembers. */
    public enum Kind
    {
        /** The value of the first row. */
        FIRST,
        /** The value of the last row. */
        LAST,
        /** The number of rows. */
        COUNT_ROWS,
        /** The number of values. */
        COUNT,
        /** The sum of whole numbers. */
        SUM_LONG,
        /** The sum of floating numbers. */
        SUM_DOUBLE,
        /** The least value. */
        MIN,
        /** The greatest value. */
        MAX
    }

    /**
     * A register.
     *
     * @param kind      what it remembers
     * @param variables of which rows
     * @param back      rows before each of them
     * @param value     of the row; {@code null} for {@link Kind#COUNT_ROWS}
     * @param type      type of what it holds
     * @param place     its first word, or its object
     * @param flag      flag that says that it has a value; -1 when it always has one
     * @param taken     flag that says that the first row has come; -1 without
     */
    public record Register(Kind kind, long variables, int back, Expression value, CqlType type, int place, int flag,
        int taken)
    {
        boolean isSame(final Register other)
        {
            return kind == other.kind && variables == other.variables && back == other.back &&
                Objects.equals(value, other.value);
        }

        /** Whether it holds an object. */
        public boolean isReference()
        {
            return isReference(type);
        }

        static boolean isReference(final CqlType type)
        {
            return type == CqlType.CHAR || type.storage() == ColumnStorage.REFERENCE;
        }

        /** Words that it takes. */
        public int words()
        {
            return kind == Kind.SUM_DOUBLE ? 2 : isReference() ? 0 : 1;
        }
    }

    /**
     * A column of the key or of rows before the one at hand.
     *
     * @param column of the input
     * @param type   its type
     * @param depth  how many rows before are kept; 0 in the key
     * @param place  its first word or object in a partition
     * @param flag   its first flag: null
     */
    public record Kept(int column, CqlType type, int depth, int place, int flag)
    {
        /** Whether it is kept as an object. */
        public boolean isReference()
        {
            return Register.isReference(type) && !isCode();
        }

        /** Whether it is kept as the code of a text; 0 is null. */
        public boolean isCode()
        {
            return depth == 0 && type == CqlType.CHAR;
        }
    }

    private final FlowNode.Match match;
    private final PatternPaths paths;
    private final int[] labels;
    private final List<Register> registers = new ArrayList<>();
    private final Map<Integer, Kept> keys = new LinkedHashMap<>();
    private final Map<Integer, Kept> earlier = new LinkedHashMap<>();
    private final TreeSet<Integer> columns = new TreeSet<>();
    private final int compared;
    private int words;
    private int references;
    private int flags = 1;
    private int partitionWords = 1;
    private int partitionReferences;
    private int partitionFlags;
    private String obstacle;

    AttemptLayout(final FlowNode.Match match, final PatternPaths paths, final int[] labels)
    {
        this.match = match;
        this.paths = paths;
        this.labels = labels;
        final PatternSpec spec = match.pattern();
        addKeys();
        for (int i = 0; i < spec.conditions().size(); i++)
        {
            if (spec.conditions().get(i) != null)
            {
                collect(spec.conditions().get(i), i);
            }
        }
        compared = registers.size();
        spec.measures().forEach(measure -> collect(measure.expression(), -1));
        final Map<Integer, Integer> depths = new LinkedHashMap<>();
        spec.conditions().stream().filter(Objects::nonNull).forEach(each -> depths(each, depths));
        spec.measures().forEach(each -> depths(each.expression(), depths));
        depths.forEach((column, depth) ->
        {
            columns.add(column);
            final CqlType type = type(column);
            earlier.put(column,
                new Kept(column, type, depth, place(Register.isReference(type), depth), partitionFlags));
            partitionFlags += depth;
        });
        if (flags > MAX_ATTEMPT_FLAGS || partitionFlags > MAX_PARTITION_FLAGS)
        {
            obstacle = "it reads too many values of a match";
        }
    }

    private CqlType type(final int column)
    {
        return match.input().rows().types().get(column);
    }

    private int place(final boolean areReferences, final int count)
    {
        if (areReferences)
        {
            partitionReferences += count;
            return partitionReferences - count;
        }
        partitionWords += count;
        return partitionWords - count;
    }

    /** Words before objects, as the table of partitions wants them. */
    private void addKeys()
    {
        for (final boolean isReference : new boolean[]{false, true})
        {
            for (final int column : match.pattern().partitionBy())
            {
                final Kept key = new Kept(column, type(column), 0,
                    isReference ? partitionReferences : partitionWords, partitionFlags);
                if (key.isReference() == isReference && !keys.containsKey(column))
                {
                    place(isReference, 1);
                    partitionFlags++;
                    keys.put(column, key);
                    if (!key.isCode())
                    {
                        columns.add(column);
                    }
                }
            }
        }
    }

    private static void depths(final Expression expression, final Map<Integer, Integer> depths)
    {
        if (expression instanceof PatternExpression.Navigation leaf && leaf.back() > 0)
        {
            depths.merge(leaf.column(), leaf.back(), Math::max);
        }
        PatternAnalysis.parts(expression).forEach(part -> depths(part, depths));
    }

    private void collect(final Expression expression, final int variable)
    {
        if (expression instanceof PatternExpression.Navigation leaf)
        {
            final boolean isKey = !isRow(leaf, variable) && key(leaf) != null;
            if (!isRow(leaf, variable) && !isKey)
            {
                need(register(leaf));
            }
            // A measure reads the key where the partition keeps it.
            if (!isKey || variable >= 0)
            {
                columns.add(leaf.column());
            }
        }
        else if (expression instanceof PatternExpression.RowColumn leaf)
        {
            columns.add(leaf.column());
            need(register(leaf));
        }
        else if (expression instanceof PatternExpression.Aggregate leaf)
        {
            leaf.arguments().forEach(this::argument);
            aggregates(leaf).forEach(this::need);
        }
        PatternAnalysis.parts(expression).forEach(part -> collect(part, variable));
    }

    private void argument(final Expression expression)
    {
        if (expression instanceof Expression.Column column)
        {
            columns.add(column.column());
        }
        if (Conditions.canFail(expression) || expression instanceof PatternExpression)
        {
            obstacle = "an aggregate computes its argument";
        }
        PatternAnalysis.parts(expression).forEach(this::argument);
    }

    /**
     * Whether a leaf is the row at hand or one before it.
     *
     * @param leaf     of a condition
     * @param variable whose condition it is; -1 in measures
     * @return true also for rows physically before it
     */
    public static boolean isRow(final PatternExpression.Navigation leaf, final int variable)
    {
        return variable >= 0 && (leaf.variables() & 1L << variable) != 0 && leaf.end() == End.LAST &&
            leaf.offset() == 0;
    }

    /**
     * The column of the key that a leaf is.
     *
     * @param leaf of a measure or condition
     * @return {@code null} for another column, where no row need have come, or where equal keys may look different
     */
    public Kept key(final PatternExpression.Navigation leaf)
    {
        final Kept key = leaf.back() == 0 ? keys.get(leaf.column()) : null;
        return key == null || isFloating(key.type()) || key.type() == CqlType.BIGDECIMAL ||
            !java.util.Arrays.stream(paths.first()).allMatch(each -> (leaf.variables() & 1L << labels[each]) != 0) ?
            null : key;
    }

    private static boolean isFloating(final CqlType type)
    {
        return type == CqlType.FLOAT || type == CqlType.DOUBLE;
    }

    /**
     * The register of a leaf.
     *
     * @param leaf that is not the row at hand
     * @return as {@link #registers} has it
     */
    public Register register(final PatternExpression.Navigation leaf)
    {
        return known(new Register(leaf.end() == End.FIRST && mayRepeat(leaf.variables()) ? Kind.FIRST : Kind.LAST,
            leaf.variables(), leaf.back(), new Expression.Column(leaf.column(), leaf.type(), true), leaf.type(), -1,
            -1, -1));
    }

    /**
     * The register of a column of the last row.
     *
     * @param leaf of a measure
     * @return as {@link #registers} has it
     */
    public Register register(final PatternExpression.RowColumn leaf)
    {
        return known(new Register(Kind.LAST, -1L, 0, new Expression.Column(leaf.column(), leaf.type(), true),
            leaf.type(), -1, -1, -1));
    }

    /**
     * The registers of an aggregate: its value, for averages the sum and the number of values.
     *
     * @param leaf without function of its own
     * @return one or two, as {@link #registers} has them
     */
    public List<Register> aggregates(final PatternExpression.Aggregate leaf)
    {
        if (leaf.arguments().isEmpty())
        {
            return List.of(aggregate(Kind.COUNT_ROWS, leaf, null, CqlType.BIGINT));
        }
        final Expression argument = leaf.arguments().get(0);
        final boolean isFloating = isFloating(argument.type());
        return switch (leaf.function())
        {
            case "count" -> List.of(aggregate(Kind.COUNT, leaf, argument, CqlType.BIGINT));
            case "min" -> List.of(aggregate(Kind.MIN, leaf, argument, argument.type()));
            case "max" -> List.of(aggregate(Kind.MAX, leaf, argument, argument.type()));
            case "sum" -> List.of(sum(leaf, argument, isFloating));
            default -> List.of(sum(leaf, argument, isFloating),
                aggregate(Kind.COUNT, leaf, argument, CqlType.BIGINT));
        };
    }

    private Register sum(final PatternExpression.Aggregate leaf, final Expression argument, final boolean isFloating)
    {
        return aggregate(isFloating ? Kind.SUM_DOUBLE : Kind.SUM_LONG, leaf, argument,
            isFloating ? CqlType.DOUBLE : CqlType.BIGINT);
    }

    private Register aggregate(
        final Kind kind, final PatternExpression.Aggregate leaf, final Expression argument, final CqlType type)
    {
        return known(new Register(kind, leaf.variables(), 0, argument, type, -1, -1, -1));
    }

    private Register known(final Register wanted)
    {
        return registers.stream().filter(wanted::isSame).findFirst().orElse(wanted);
    }

    private void need(final Register wanted)
    {
        if (wanted.place >= 0)
        {
            return;
        }
        if ((wanted.kind == Kind.MIN || wanted.kind == Kind.MAX) && wanted.isReference())
        {
            obstacle = "min and max compare objects";
        }
        final boolean isCount = wanted.kind == Kind.COUNT_ROWS || wanted.kind == Kind.COUNT;
        registers.add(new Register(wanted.kind, wanted.variables, wanted.back, wanted.value, wanted.type,
            wanted.isReference() ? references++ : words, isCount ? -1 : flags++,
            wanted.kind == Kind.FIRST ? flags++ : -1));
        words += wanted.words();
    }

    /** Whether an attempt may have two rows of a set of variables. */
    private boolean mayRepeat(final long variables)
    {
        final int[] positions = Stream.iterate(0, i -> i < labels.length, i -> i + 1)
            .filter(i -> paths.isReached(i) && (variables & 1L << labels[i]) != 0).mapToInt(i -> i).toArray();
        for (final int from : positions)
        {
            for (final int to : positions)
            {
                if (paths.mayRepeat(to, from))
                {
                    return true;
                }
            }
        }
        return false;
    }

    /** Why attempts cannot be kept so; {@code null} when they can. */
    String obstacle()
    {
        return obstacle;
    }

    /**
     * The columns of rows that are read, in order, without texts that are read as codes of the key alone.
     *
     * @return indexes in the input
     */
    public List<Integer> columns()
    {
        return List.copyOf(columns);
    }

    /**
     * The registers of an attempt.
     *
     * @return in order of their places
     */
    public List<Register> registers()
    {
        return List.copyOf(registers);
    }

    /**
     * The registers that conditions read: two attempts that are equal in them and in their position go on alike.
     *
     * @return some of {@link #registers}
     */
    public List<Register> compared()
    {
        return List.copyOf(registers.subList(0, compared));
    }

    /**
     * The columns of the key, words before objects.
     *
     * @return in order of their places
     */
    public List<Kept> keys()
    {
        return List.copyOf(keys.values());
    }

    /**
     * The columns of rows before the one at hand.
     *
     * @return with how many rows are kept of each
     */
    public List<Kept> earlier()
    {
        return List.copyOf(earlier.values());
    }

    /**
     * A column of rows before the one at hand.
     *
     * @param column of the input
     * @return as {@link #earlier} has it
     */
    public Kept earlier(final int column)
    {
        return earlier.get(column);
    }

    /**
     * Words of all registers.
     *
     * @return at least 0
     */
    public int words()
    {
        return words;
    }

    /**
     * Objects of all registers.
     *
     * @return at least 0
     */
    public int references()
    {
        return references;
    }

    /**
     * Words of a partition: flags, the key and rows before.
     *
     * @return at least 1
     */
    public int partitionWords()
    {
        return partitionWords;
    }

    /**
     * Objects of a partition.
     *
     * @return at least 0
     */
    public int partitionReferences()
    {
        return partitionReferences;
    }
}
