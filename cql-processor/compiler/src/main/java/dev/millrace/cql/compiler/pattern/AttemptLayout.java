package dev.millrace.cql.compiler.pattern;

import dev.millrace.api.event.ColumnStorage;
import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.ExpressionParts;
import dev.millrace.cql.plan.Conditions;
import dev.millrace.cql.plan.Expression;
import dev.millrace.cql.plan.PatternExpression;
import dev.millrace.cql.plan.PatternExpression.End;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.PatternSpec;
import dev.millrace.cql.runtime.pattern.PatternProgram;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * Where the values lie that a pattern without kept rows reads: columns of the row at hand, of rows before it in the
 * partition, and registers of an attempt that each row brings up to date.
 *
 * <p>Immutable after it is made.
 */
public final class AttemptLayout
{
    /** Flags of an attempt that lie in its first word; the first one says that it is complete. */
    public static final int FIRST_FLAGS = 16;
    /** Flags of a partition, without the one for its deadline. */
    private static final int MAX_PARTITION_FLAGS = 31;
    private static final long NS_PER_MS = 1_000_000;
    /** Stands for the number of the variable of a row. */
    private static final Expression CLASSIFIER = new PatternExpression.Classifier(0, true);

    /** What a register remembers. */
    public enum Kind
    {
        /** The value of the first row, or of one counted from there. */
        FIRST,
        /** The value of the last row, or of one counted from there. */
        LAST,
        /** The value of the row that a row of the result stands for, which an empty match has too. */
        ROW,
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
     * @param offset    rows counted from the first or last of them
     * @param back      rows of the partition before each of them
     * @param maxAgeNs  how much older that row may be; negative without
     * @param value     of the row: an expression of its columns, or a classifier for the number of its variable;
     *                  {@code null} for the number of the row in the stream, and for {@link Kind#COUNT_ROWS}
     * @param type      type of what it holds
     * @param place     its first word, or its object
     * @param flag      flag that says that it has a value; -1 when it always has one
     * @param taken     flag that says that the row has come that is counted from the first; -1 without
     */
    public record Register(Kind kind, long variables, int offset, int back, long maxAgeNs, Expression value,
        CqlType type, int place, int flag, int taken)
    {
        /** One that has no place yet. */
        Register(final Kind kind, final long variables, final int offset, final int back, final long maxAgeNs,
            final Expression value, final CqlType type)
        {
            this(kind, variables, offset, back, maxAgeNs, value, type, -1, -1, -1);
        }

        boolean isSame(final Register other)
        {
            return kind == other.kind && variables == other.variables && offset == other.offset &&
                back == other.back && maxAgeNs == other.maxAgeNs && Objects.equals(value, other.value);
        }

        /** The one of the row that is counted before this one's. */
        Register lower()
        {
            return new Register(kind, variables, offset - 1, back, maxAgeNs, value, type);
        }

        /** Whether it holds the variable of a row before that one. */
        public boolean isOfEarlierLabel()
        {
            return back > 0 && value instanceof PatternExpression.Classifier;
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
     * @param flag   its first flag: null; -1 where there was no room for it
     * @param known  its first word that says that it is not null, or in the key that it is, where there was no room for
     *               flags
     */
    public record Kept(int column, CqlType type, int depth, int place, int flag, int known)
    {
        /** Whether it is kept as an object. */
        public boolean isReference()
        {
            return depth == 0 ? isObject(type) : Register.isReference(type);
        }

        /** Whether values of a type are objects in a key. */
        static boolean isObject(final CqlType type)
        {
            return type != CqlType.CHAR && Register.isReference(type);
        }

        /** Whether it is kept as the code of a text; 0 is null. */
        public boolean isCode()
        {
            return depth == 0 && type == CqlType.CHAR;
        }
    }

    /**
     * A row behind a row of a match that a measure reads.
     *
     * @param from  register with the number of the row of the match
     * @param count how many rows behind it
     */
    public record Ahead(Register from, int count)
    {
    }

    private final FlowNode.Match match;
    private final PatternPaths paths;
    private final PatternProgram program;
    private final int[] labels;
    private final List<PatternExpression.Aggregate> functions = new ArrayList<>();
    private final Set<Ahead> ahead = new LinkedHashSet<>();
    private final TreeSet<Integer> queued = new TreeSet<>();
    private final List<Register> registers = new ArrayList<>();
    private final Map<Integer, Kept> keys = new LinkedHashMap<>();
    private final Map<Integer, Kept> earlier = new LinkedHashMap<>();
    private final TreeSet<Integer> columns = new TreeSet<>();
    private final List<Expression> computed = new ArrayList<>();
    private final Register skip;
    private final int compared;
    private final int lastVariable;
    private int words;
    private int references;
    private int flags = 1;
    private int partitionWords = 1;
    private int partitionReferences;
    private int partitionFlags;
    private int ages;
    private final int agesAt;
    private final int flagsAt;

    AttemptLayout(final FlowNode.Match match, final PatternPaths paths, final PatternProgram program)
    {
        this.match = match;
        this.paths = paths;
        this.program = program;
        labels = program.labels();
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
        lastVariable = FixedLength.lastVariable(match);
        spec.measures().forEach(measure -> collect(measure.expression(), lastVariable));
        final Map<Integer, Integer> depths = new LinkedHashMap<>();
        spec.conditions().stream().filter(Objects::nonNull).forEach(each -> depths(each, depths));
        spec.measures().forEach(each -> depths(each.expression(), depths));
        depths.forEach((column, depth) ->
        {
            columns.add(column);
            final CqlType type = type(column);
            final boolean hasFlags = partitionFlags + depth <= MAX_PARTITION_FLAGS;
            earlier.put(column, new Kept(column, type, depth, place(Register.isReference(type), depth),
                hasFlags ? partitionFlags : -1, hasFlags ? -1 : place(false, depth)));
            partitionFlags += hasFlags ? depth : 0;
        });
        skip = skip(spec);
        spec.conditions().stream().filter(Objects::nonNull).forEach(this::ages);
        spec.measures().forEach(each -> ages(each.expression()));
        agesAt = place(false, ages);
        if (program.rules().durationOf() >= 0)
        {
            columns.add(program.rules().durationOf());
        }
        flagsAt = words;
        words += Math.max(0, flags - FIRST_FLAGS + Long.SIZE - 1) / Long.SIZE;
    }

    /** Where the search goes on after a match; {@code null} when not at one of its rows. */
    private Register skip(final PatternSpec spec)
    {
        if (spec.skip() != PatternSpec.Skip.TO_FIRST && spec.skip() != PatternSpec.Skip.TO_LAST)
        {
            return null;
        }
        final Register wanted = known(new Register(kind(spec.skip() == PatternSpec.Skip.TO_FIRST,
            spec.skipVariables(), 0), spec.skipVariables(), 0, 0, -1, null, CqlType.BIGINT));
        need(wanted);
        return known(wanted);
    }

    private void ages(final Expression expression)
    {
        if (expression instanceof PatternExpression.Navigation leaf && leaf.maxAgeMs() >= 0)
        {
            ages = Math.max(ages, leaf.back());
        }
        if (expression instanceof PatternExpression.Classifier leaf && leaf.maxAgeMs() >= 0)
        {
            ages = Math.max(ages, leaf.back());
        }
        ExpressionParts.of(expression).forEach(this::ages);
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
                final CqlType type = type(column);
                final boolean isCode = type == CqlType.CHAR;
                if (Kept.isObject(type) == isReference && !keys.containsKey(column))
                {
                    // Codes and objects say themselves that they are null.
                    final boolean hasFlag = !isReference && !isCode && partitionFlags < MAX_PARTITION_FLAGS;
                    final boolean isCrowded = !isReference && !isCode && !hasFlag;
                    keys.put(column, new Kept(column, type, 0, place(isReference, 1),
                        hasFlag ? partitionFlags++ : -1, isCrowded ? place(false, 1) : -1));
                    if (!isCode)
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
        ExpressionParts.of(expression).forEach(part -> depths(part, depths));
    }

    private void collect(final Expression expression, final int variable)
    {
        if (expression instanceof PatternExpression.Navigation leaf)
        {
            collect(leaf, variable);
        }
        else if (expression instanceof PatternExpression.RowColumn leaf)
        {
            columns.add(leaf.column());
            need(register(leaf));
            if (program.rules().unmatched())
            {
                queued.add(leaf.column());
            }
        }
        else if (expression instanceof PatternExpression.Classifier leaf)
        {
            collect(leaf, variable);
        }
        else if (expression instanceof PatternExpression.Aggregate leaf)
        {
            leaf.arguments().forEach(this::argument);
            leaf.arguments().stream().filter(each -> Conditions.canFail(each) && !PatternAnalysis.readsMatch(each) &&
                !computed.contains(each)).forEach(computed::add);
            if (PatternAnalysis.isFunction(leaf))
            {
                if (function(leaf) < 0)
                {
                    functions.add(leaf);
                }
                leaf.arguments().forEach(this::needOfRow);
            }
            else
            {
                aggregates(leaf).forEach(this::need);
            }
        }
        ExpressionParts.of(expression).forEach(part -> collect(part, variable));
    }

    private void collect(final PatternExpression.Navigation leaf, final int variable)
    {
        if (leaf.back() < 0)
        {
            ahead(leaf.variables(), leaf.end(), leaf.offset(), leaf.back());
            queued.add(leaf.column());
            columns.add(leaf.column());
            return;
        }
        final boolean isKey = !isRow(leaf, variable) && key(leaf) != null;
        if (!isRow(leaf, variable) && !isKey)
        {
            need(register(leaf, variable));
        }
        // A measure reads the key where the partition keeps it.
        if (!isKey || variable >= 0)
        {
            columns.add(leaf.column());
        }
    }

    private void collect(final PatternExpression.Classifier leaf, final int variable)
    {
        if (leaf.back() < 0)
        {
            ahead(leaf.variables(), leaf.end(), leaf.offset(), leaf.back());
        }
        else if (isOwnRow(leaf, variable) && leaf.back() > 0)
        {
            need(earlierLabel(leaf.back()));
        }
        else if (!isRow(leaf, variable))
        {
            need(register(leaf, variable));
        }
    }

    private void ahead(final long variables, final End end, final int offset, final int back)
    {
        final Register from = arrival(variables, end, offset);
        need(from);
        ahead.add(new Ahead(known(from), -back));
    }

    /** What an argument that is computed for each row of a match reads of it. */
    private void needOfRow(final Expression argument)
    {
        if (!PatternAnalysis.readsMatch(argument))
        {
            need(value(argument));
        }
        else
        {
            needColumns(argument);
        }
    }

    private void needColumns(final Expression expression)
    {
        if (expression instanceof Expression.Column)
        {
            need(value(expression));
        }
        ExpressionParts.of(expression).forEach(this::needColumns);
    }

    private void argument(final Expression expression)
    {
        if (expression instanceof Expression.Column column)
        {
            columns.add(column.column());
        }
        ExpressionParts.of(expression).forEach(this::argument);
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
     * Whether a leaf is the variable of the row at hand.
     *
     * @param leaf     of a condition
     * @param variable whose condition it is; -1 in measures
     * @return true when it names that variable
     */
    public static boolean isRow(final PatternExpression.Classifier leaf, final int variable)
    {
        return variable >= 0 && (leaf.variables() & 1L << variable) != 0 && leaf.isOfLast();
    }

    /**
     * Whether a leaf is the variable of a row that is counted back from the row at hand.
     *
     * @param leaf     of a condition
     * @param variable whose condition it is; -1 in measures
     * @return true also for that row itself
     */
    public static boolean isOwnRow(final PatternExpression.Classifier leaf, final int variable)
    {
        return variable >= 0 && (leaf.variables() & 1L << variable) != 0 && leaf.end() == End.LAST &&
            leaf.offset() == 0;
    }

    /**
     * The register with the variable of a row before the one at hand, before that is labelled.
     *
     * @param back how many rows before it, at least 1
     * @return as {@link #registers} has it
     */
    public Register earlierLabel(final int back)
    {
        return known(new Register(Kind.LAST, -1L, back - 1, 0, -1, CLASSIFIER, CqlType.BIGINT));
    }

    /**
     * The register with the number of a row of the match in the stream.
     *
     * @param variables of which rows
     * @param end       from which end they are counted
     * @param offset    how many
     * @return as {@link #registers} has it
     */
    public Register arrival(final long variables, final End end, final int offset)
    {
        return known(new Register(kind(end == End.FIRST, variables, offset), variables, offset, 0, -1, null,
            CqlType.BIGINT));
    }

    /**
     * The register with a value of the last row.
     *
     * @param expression of the columns of a row
     * @return as {@link #registers} has it
     */
    public Register value(final Expression expression)
    {
        return known(new Register(Kind.LAST, -1L, 0, 0, -1, expression, expression.type()));
    }

    /**
     * The number of an aggregate that is computed over all rows.
     *
     * @param leaf of a condition or measure
     * @return index in {@link #functions}, -1 when there is none
     */
    public int function(final PatternExpression.Aggregate leaf)
    {
        for (int i = 0; i < functions.size(); i++)
        {
            final PatternExpression.Aggregate each = functions.get(i);
            if (each.variables() == leaf.variables() && each.distinct() == leaf.distinct() &&
                each.function().equals(leaf.function()) && each.arguments().equals(leaf.arguments()))
            {
                return i;
            }
        }
        return -1;
    }

    /**
     * The aggregates that are computed over all rows.
     *
     * @return by number
     */
    public List<PatternExpression.Aggregate> functions()
    {
        return List.copyOf(functions);
    }

    /**
     * The rows behind rows of a match that measures read.
     *
     * @return each once
     */
    public List<Ahead> ahead()
    {
        return List.copyOf(ahead);
    }

    /**
     * The columns of rows that are kept beside attempts.
     *
     * @return indexes in the input
     */
    public List<Integer> queued()
    {
        return List.copyOf(queued);
    }

    /**
     * First word of the flags that have no room in the first word of an attempt, among those of the registers.
     *
     * @return at least 0
     */
    public int flagsAt()
    {
        return flagsAt;
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
     * @param leaf     that is not the row at hand
     * @param variable whose condition reads it, before the row at hand is labelled; -1 for none
     * @return as {@link #registers} has it
     */
    public Register register(final PatternExpression.Navigation leaf, final int variable)
    {
        return register(leaf.variables(), leaf.end(), leaf.offset(), leaf.back(), leaf.maxAgeMs() < 0 ? -1 :
            Math.multiplyExact(leaf.maxAgeMs(), NS_PER_MS), new Expression.Column(leaf.column(), leaf.type(), true),
            leaf.type(), variable);
    }

    /**
     * The register of a classifier.
     *
     * @param leaf     that is not the variable of the row at hand
     * @param variable as for a column
     * @return as {@link #registers} has it
     */
    public Register register(final PatternExpression.Classifier leaf, final int variable)
    {
        return register(leaf.variables(), leaf.end(), leaf.offset(), leaf.back(), leaf.maxAgeMs() < 0 ? -1 :
            Math.multiplyExact(leaf.maxAgeMs(), NS_PER_MS), CLASSIFIER, CqlType.BIGINT, variable);
    }

    private Register register(final long variables, final End end, final int offset, final int back,
        final long maxAgeNs, final Expression value, final CqlType type, final int variable)
    {
        // From the last row backwards the row at hand will count as well.
        final boolean isCounted = variable >= 0 && (variables & 1L << variable) != 0 && end == End.LAST;
        return known(new Register(kind(end == End.FIRST, variables, offset), variables,
            isCounted ? offset - 1 : offset, back, maxAgeNs, value, type));
    }

    private Kind kind(final boolean isFirst, final long variables, final int offset)
    {
        return isFirst && (offset > 0 || mayRepeat(variables)) ? Kind.FIRST : Kind.LAST;
    }

    /**
     * The register of the row that is counted before that of another one.
     *
     * @param register with an offset
     * @return as {@link #registers} has it
     */
    public Register lower(final Register register)
    {
        return known(register.lower());
    }

    /**
     * The register of a column of the last row.
     *
     * @param leaf of a measure
     * @return as {@link #registers} has it
     */
    public Register register(final PatternExpression.RowColumn leaf)
    {
        return known(new Register(program.mayBeEmpty() ? Kind.ROW : Kind.LAST, -1L, 0, 0, -1,
            new Expression.Column(leaf.column(), leaf.type(), true), leaf.type()));
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
        return known(new Register(kind, leaf.variables(), 0, 0, -1, argument, type));
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
        if (wanted.offset > 0)
        {
            need(known(wanted.lower()));
        }
        if (wanted.isOfEarlierLabel())
        {
            need(earlierLabel(wanted.back));
        }
        final boolean isCount = wanted.kind == Kind.COUNT_ROWS || wanted.kind == Kind.COUNT;
        registers.add(new Register(wanted.kind, wanted.variables, wanted.offset, wanted.back, wanted.maxAgeNs,
            wanted.value, wanted.type, wanted.isReference() ? references++ : words, isCount ? -1 : flags++,
            wanted.kind == Kind.FIRST ? flags++ : -1));
        words += wanted.words();
    }

    /** Whether an attempt may have two rows of a set of variables. */
    private boolean mayRepeat(final long variables)
    {
        final boolean[] isOfSet = new boolean[labels.length];
        for (int i = 0; i < labels.length; i++)
        {
            isOfSet[i] = paths.isReached(i) && (variables & 1L << labels[i]) != 0;
        }
        return paths.mayRepeat(isOfSet);
    }

    /**
     * The variable whose row at hand measures read, where all matches have as many rows.
     *
     * @return index; -1 where measures read registers
     */
    public int lastVariable()
    {
        return lastVariable;
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
     * The arguments of aggregates that may not be computable, so that a row is turned away before it changes anything.
     *
     * @return each once
     */
    public List<Expression> computed()
    {
        return List.copyOf(computed);
    }

    /**
     * The number of the row where the search goes on after a match.
     *
     * @return {@code null} when it is not a row of the match
     */
    public Register skip()
    {
        return skip;
    }

    /**
     * Of how many rows before the one at hand a partition keeps the times.
     *
     * @return at least 0
     */
    public int ages()
    {
        return ages;
    }

    /**
     * First word of these times in a partition.
     *
     * @return the time of the last row
     */
    public int agesAt()
    {
        return agesAt;
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
     * Longs of the key.
     *
     * @return at least 0; those that say that others are null among them
     */
    public int keyWords()
    {
        return (int)keys.values().stream().filter(key -> !key.isReference())
            .mapToLong(key -> key.known() < 0 ? 1 : 2).sum();
    }

    /**
     * Flags of the key.
     *
     * @return how many of the first flags of a partition
     */
    public int keyFlags()
    {
        return (int)keys.values().stream().filter(key -> key.flag() >= 0).count();
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
