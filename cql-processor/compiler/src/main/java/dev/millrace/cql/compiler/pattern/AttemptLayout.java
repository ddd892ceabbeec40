package dev.millrace.cql.compiler.pattern;

import dev.millrace.api.event.ColumnStorage;
import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.ExpressionParts;
import dev.millrace.cql.plan.expression.Conditions;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.PatternExpression;
import dev.millrace.cql.plan.expression.PatternExpression.End;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.PatternSpec;
import dev.millrace.cql.runtime.pattern.PatternProgram;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * Storage of the values that a pattern without stored rows reads: columns of the current row, of earlier rows in the
 * partition, and registers of an attempt, which each row updates.
 *
 * <p>Immutable after construction.
 */
public final class AttemptLayout
{
    /** Number of flags of an attempt in its first word; the first flag marks that it is complete. */
    public static final int FIRST_FLAGS = 16;
    /** Maximum number of flags of a partition, without the one for its deadline. */
    private static final int MAX_PARTITION_FLAGS = 31;
    private static final long NS_PER_MS = 1_000_000;
    /** Represents the number of the variable of a row. */
    private static final Expression CLASSIFIER = new PatternExpression.Classifier(0, true);

    /** Content of a register. */
    public enum Kind
    {
        /** The value of the first row, or of one counted from it. */
        FIRST,
        /** The value of the last row, or of one counted from it. */
        LAST,
        /** The value of the row for which a result row is emitted; an empty match also has one. */
        ROW,
        /** The number of rows. */
        COUNT_ROWS,
        /** The number of values. */
        COUNT,
        /** The sum of integers. */
        SUM_LONG,
        /** The sum of floating-point numbers. */
        SUM_DOUBLE,
        /** The minimum. */
        MIN,
        /** The maximum. */
        MAX
    }

    /**
     * A register.
     *
     * @param kind      its content
     * @param variables mask of the variables whose rows it reads
     * @param offset    rows counted from the first or last of them
     * @param back      rows of the partition before each of them
     * @param maxAgeNs  how much older that row may be; negative for no limit
     * @param value     of the row: an expression of its columns, or a classifier for the number of its variable;
     *                  {@code null} for the number of the row in the stream, and for {@link Kind#COUNT_ROWS}
     * @param type      type of the register
     * @param index     index of its first word, or of its object
     * @param flag      flag that is set when it has a value; -1 when it always has one
     * @param taken     flag that is set when the row counted from the first has arrived; -1 without
     */
    public record Register(Kind kind, long variables, int offset, int back, long maxAgeNs, Expression value,
        CqlType type, int index, int flag, int taken)
    {
        /** A register without assigned storage. */
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

        /** The register of the row that is counted before this one's. */
        Register lower()
        {
            return new Register(kind, variables, offset - 1, back, maxAgeNs, value, type);
        }

        /** Whether it stores the variable of an earlier row. */
        public boolean isOfEarlierLabel()
        {
            return back > 0 && value instanceof PatternExpression.Classifier;
        }

        /** Whether it stores an object. */
        public boolean isReference()
        {
            return isReference(type);
        }

        static boolean isReference(final CqlType type)
        {
            return type == CqlType.CHAR || type.storage() == ColumnStorage.REFERENCE;
        }

        /** Number of words. */
        public int words()
        {
            return kind == Kind.SUM_DOUBLE ? 2 : isReference() ? 0 : 1;
        }
    }

    /**
     * A column of the key or of rows before the current one.
     *
     * @param column of the input
     * @param depth  number of earlier rows stored; 0 in the key
     * @param index  index of its first word or object in a partition
     * @param flag   its first null flag; -1 when the flags are full
     * @param known  when the flags are full: its first word that is set when the value is not null, or, in the key,
     *               when it is
     */
    public record Kept(int column, CqlType type, int depth, int index, int flag, int known)
    {
        /** Whether it is stored as an object. */
        public boolean isReference()
        {
            return depth == 0 ? isObject(type) : Register.isReference(type);
        }

        /** Whether values of a type are objects in a key. */
        static boolean isObject(final CqlType type)
        {
            return type != CqlType.CHAR && Register.isReference(type);
        }

        /** Whether it is stored as a string code; 0 is null. */
        public boolean isCode()
        {
            return depth == 0 && type == CqlType.CHAR;
        }
    }

    /**
     * A row after a row of a match that a measure reads.
     *
     * @param from  register with the number of the row of the match
     * @param count distance in rows
     */
    public record Ahead(Register from, int count)
    {
    }

    private final FlowNode.Match match;
    private final PatternGraph paths;
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

    /**
     * @param lastVariable variable of the last row, when all matches have the same number of rows; -1 otherwise
     */
    AttemptLayout(
        final FlowNode.Match match, final PatternGraph paths, final PatternProgram program, final int lastVariable)
    {
        this.lastVariable = lastVariable;
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

    /** Where the search resumes after a match; {@code null} unless it is at one of its rows. */
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

    /** Adds the columns of the key, words before objects, as the table of partitions requires. */
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
                    // Codes and objects represent null themselves.
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
        final boolean isKey = !isRow(leaf, variable) && (variable < 0 ? keyOfMatch(leaf) : key(leaf)) != null;
        if (!isRow(leaf, variable) && !isKey)
        {
            need(register(leaf, variable));
        }
        // A measure reads the key from the partition.
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

    /** Collects the columns that a per-row argument of a match reads. */
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
     * Whether a leaf refers to the current row or a row physically before it.
     *
     * @param leaf     of a condition
     * @param variable whose condition it is; -1 in measures
     */
    public static boolean isRow(final PatternExpression.Navigation leaf, final int variable)
    {
        return variable >= 0 && (leaf.variables() & 1L << variable) != 0 && leaf.end() == End.LAST &&
            leaf.offset() == 0;
    }

    /**
     * Whether a leaf is the variable of the current row.
     *
     * @param leaf     of a condition
     * @param variable whose condition it is; -1 in measures
     */
    public static boolean isRow(final PatternExpression.Classifier leaf, final int variable)
    {
        return variable >= 0 && (leaf.variables() & 1L << variable) != 0 && leaf.isOfLast();
    }

    /**
     * Whether a leaf is the variable of the current row or of a row counted back from it.
     *
     * @param leaf     of a condition
     * @param variable whose condition it is; -1 in measures
     */
    public static boolean isOwnRow(final PatternExpression.Classifier leaf, final int variable)
    {
        return variable >= 0 && (leaf.variables() & 1L << variable) != 0 && leaf.end() == End.LAST &&
            leaf.offset() == 0;
    }

    /**
     * The register with the variable of an earlier row, before the current row is labelled.
     *
     * @param back distance in rows, at least 1
     * @return an element of {@link #registers}
     */
    public Register earlierLabel(final int back)
    {
        return known(new Register(Kind.LAST, -1L, back - 1, 0, -1, CLASSIFIER, CqlType.BIGINT));
    }

    /**
     * The register with the number of a row of the match in the stream.
     *
     * @param variables mask of the variables whose rows are counted
     * @param end       from which end they are counted
     * @param offset    distance in rows
     * @return an element of {@link #registers}
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
     * @return an element of {@link #registers}
     */
    public Register value(final Expression expression)
    {
        return known(new Register(Kind.LAST, -1L, 0, 0, -1, expression, expression.type()));
    }

    /**
     * The index of an aggregate that is computed over all rows.
     *
     * @param leaf of a condition or measure
     * @return index in {@link #functions}, -1 if none exists
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

    /** The aggregates that are computed over all rows, by index. */
    public List<PatternExpression.Aggregate> functions()
    {
        return List.copyOf(functions);
    }

    /** The rows after rows of a match that measures read, without duplicates. */
    public List<Ahead> ahead()
    {
        return List.copyOf(ahead);
    }

    /** The input columns of rows that are stored separately from attempts. */
    public List<Integer> queued()
    {
        return List.copyOf(queued);
    }

    /**
     * Index, among the words of the registers, of the first word of the flags that do not fit into the first word of an
     * attempt.
     */
    public int flagsAt()
    {
        return flagsAt;
    }

    /**
     * The column of the key that a leaf refers to.
     *
     * @param leaf of a measure or condition
     * @return {@code null} for another column, for a row that may not exist, or when equal keys may differ in their
     *     representation
     */
    public Kept key(final PatternExpression.Navigation leaf)
    {
        return isOfKey(leaf) &&
            java.util.Arrays.stream(paths.first()).allMatch(each -> (leaf.variables() & 1L << labels[each]) != 0) ?
            keys.get(leaf.column()) : null;
    }

    /**
     * The column of the key that a leaf of a measure refers to. Where a measure is computed for a whole match, a row
     * that each match has exists.
     *
     * @return as for {@link #key}
     */
    public Kept keyOfMatch(final PatternExpression.Navigation leaf)
    {
        final Kept key = isOfKey(leaf) && (!program.rules().allRows() || !leaf.running()) &&
            paths.isIn(leaf.variables(), labels) ? keys.get(leaf.column()) : null;
        return key == null ? key(leaf) : key;
    }

    private boolean isOfKey(final PatternExpression.Navigation leaf)
    {
        final boolean exists = leaf.back() == 0 && leaf.offset() == 0 && !program.mayBeEmpty();
        final Kept key = exists ? keys.get(leaf.column()) : null;
        return key != null && !isFloating(key.type()) && key.type() != CqlType.BIGDECIMAL;
    }

    /**
     * The string of the key that a measure consists of, so that its code can be emitted.
     *
     * @param measure index
     * @return {@code null} for another measure
     */
    public Kept codeOfMeasure(final int measure)
    {
        final Kept key = lastVariable < 0 && !program.rules().allRows() &&
            match.pattern().measures().get(measure).expression() instanceof PatternExpression.Navigation leaf ?
            keyOfMatch(leaf) : null;
        return key != null && key.isCode() ? key : null;
    }

    /** The measures that consist of a string of the key. */
    public BitSet codesOfMeasures()
    {
        final BitSet measures = new BitSet();
        for (int i = 0; i < match.pattern().measures().size(); i++)
        {
            measures.set(i, codeOfMeasure(i) != null);
        }
        return measures;
    }

    private static boolean isFloating(final CqlType type)
    {
        return type == CqlType.FLOAT || type == CqlType.DOUBLE;
    }

    /**
     * The register of a leaf.
     *
     * @param leaf     does not refer to the current row
     * @param variable whose condition reads it, before the current row is labelled; -1 for none
     * @return an element of {@link #registers}
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
     * @param leaf     not the variable of the current row
     * @param variable as for a column
     * @return an element of {@link #registers}
     */
    public Register register(final PatternExpression.Classifier leaf, final int variable)
    {
        return register(leaf.variables(), leaf.end(), leaf.offset(), leaf.back(), leaf.maxAgeMs() < 0 ? -1 :
            Math.multiplyExact(leaf.maxAgeMs(), NS_PER_MS), CLASSIFIER, CqlType.BIGINT, variable);
    }

    private Register register(final long variables, final End end, final int offset, final int back,
        final long maxAgeNs, final Expression value, final CqlType type, final int variable)
    {
        // Counted backwards from the last row, the current row will count as well.
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
     * @return an element of {@link #registers}
     */
    public Register lower(final Register register)
    {
        return known(register.lower());
    }

    /**
     * The register of a column of the last row.
     *
     * @param leaf of a measure
     * @return an element of {@link #registers}
     */
    public Register register(final PatternExpression.RowColumn leaf)
    {
        return known(new Register(program.mayBeEmpty() ? Kind.ROW : Kind.LAST, -1L, 0, 0, -1,
            new Expression.Column(leaf.column(), leaf.type(), true), leaf.type()));
    }

    /**
     * The registers of an aggregate: its value; for averages the sum and the number of values.
     *
     * @param leaf not computed by a function
     * @return one or two elements of {@link #registers}
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
        if (wanted.index >= 0)
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
     * The variable whose current row measures read, when all matches have the same number of rows.
     *
     * @return index; -1 when measures read registers
     */
    public int lastVariable()
    {
        return lastVariable;
    }

    /** The input columns that are read, in order, except strings that are read only as codes of the key. */
    public List<Integer> columns()
    {
        return List.copyOf(columns);
    }

    /** The registers of an attempt, in the order of their storage. */
    public List<Register> registers()
    {
        return List.copyOf(registers);
    }

    /**
     * The registers that conditions read: two attempts with equal values in them and the same position have the same
     * future. A subset of {@link #registers}.
     */
    public List<Register> compared()
    {
        return List.copyOf(registers.subList(0, compared));
    }

    /**
     * The arguments of aggregates whose computation may fail, so that a row is rejected before it changes anything;
     * without duplicates.
     */
    public List<Expression> computed()
    {
        return List.copyOf(computed);
    }

    /**
     * The register with the number of the row where the search resumes after a match; {@code null} when it is not a row
     * of the match.
     */
    public Register skip()
    {
        return skip;
    }

    /** Number of earlier rows whose times are stored per partition. */
    public int ages()
    {
        return ages;
    }

    /** Index of the first word of these times in a partition, that of the last row. */
    public int agesAt()
    {
        return agesAt;
    }

    /** The columns of the key, words before objects, in the order of their storage. */
    public List<Kept> keys()
    {
        return List.copyOf(keys.values());
    }

    /** Longs of the key, including those for null flags. */
    public int keyWords()
    {
        return (int)keys.values().stream().filter(key -> !key.isReference())
            .mapToLong(key -> key.known() < 0 ? 1 : 2).sum();
    }

    /** Number of flags of the key, which are the first flags of a partition. */
    public int keyFlags()
    {
        return (int)keys.values().stream().filter(key -> key.flag() >= 0).count();
    }

    /** The columns of rows before the current one, with the number of rows stored of each. */
    public List<Kept> earlier()
    {
        return List.copyOf(earlier.values());
    }

    /** A column of rows before the current one, an element of {@link #earlier}. */
    public Kept earlier(final int column)
    {
        return earlier.get(column);
    }

    public int words()
    {
        return words;
    }

    public int references()
    {
        return references;
    }

    /** Words of a partition: flags, the key and earlier rows; at least 1. */
    public int partitionWords()
    {
        return partitionWords;
    }

    public int partitionReferences()
    {
        return partitionReferences;
    }
}
