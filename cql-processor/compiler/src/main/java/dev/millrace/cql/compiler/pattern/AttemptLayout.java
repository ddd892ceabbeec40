package dev.millrace.cql.compiler.pattern;

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
import java.util.LinkedHashSet;
import java.util.List;
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
    private final AttemptRegisters registers;
    private final PartitionLayout partition;
    private final PatternGraph paths;
    private final PatternProgram program;
    private final int[] labels;
    private final List<PatternExpression.Aggregate> functions = new ArrayList<>();
    private final Set<Ahead> ahead = new LinkedHashSet<>();
    private final TreeSet<Integer> queued = new TreeSet<>();
    private final TreeSet<Integer> columns = new TreeSet<>();
    private final List<Expression> computed = new ArrayList<>();
    private final Register skip;
    private final int compared;
    private final int lastVariable;

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
        registers = new AttemptRegisters(paths, program);
        partition = new PartitionLayout(match);
        partition.keys().stream().filter(key -> !key.isCode()).forEach(key -> columns.add(key.column()));
        partition.earlier().forEach(each -> columns.add(each.column()));
        for (int i = 0; i < spec.conditions().size(); i++)
        {
            if (spec.conditions().get(i) != null)
            {
                collect(spec.conditions().get(i), i);
            }
        }
        compared = registers.all().size();
        spec.measures().forEach(measure -> collect(measure.expression(), lastVariable));
        skip = skip(spec);
        if (program.rules().durationOf() >= 0)
        {
            columns.add(program.rules().durationOf());
        }
    }

    /** Where the search resumes after a match; {@code null} unless it is at one of its rows. */
    private Register skip(final PatternSpec spec)
    {
        if (spec.skip() != PatternSpec.Skip.TO_FIRST && spec.skip() != PatternSpec.Skip.TO_LAST)
        {
            return null;
        }
        return registers.add(registers.arrival(spec.skipVariables(),
            spec.skip() == PatternSpec.Skip.TO_FIRST ? End.FIRST : End.LAST, 0));
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
            registers.add(registers.register(leaf));
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
                registers.aggregates(leaf).forEach(registers::add);
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
            registers.add(registers.register(leaf, variable));
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
            registers.add(registers.earlierLabel(leaf.back()));
        }
        else if (!isRow(leaf, variable))
        {
            registers.add(registers.register(leaf, variable));
        }
    }

    private void ahead(final long variables, final End end, final int offset, final int back)
    {
        ahead.add(new Ahead(registers.add(registers.arrival(variables, end, offset)), -back));
    }

    /** Collects the columns that a per-row argument of a match reads. */
    private void needOfRow(final Expression argument)
    {
        if (!PatternAnalysis.readsMatch(argument))
        {
            registers.add(registers.value(argument));
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
            registers.add(registers.value(expression));
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
     * The column of the key that a leaf refers to.
     *
     * @param leaf of a measure or condition
     * @return {@code null} for another column, for a row that may not exist, or when equal keys may differ in their
     *     representation
     */
    public StoredColumn key(final PatternExpression.Navigation leaf)
    {
        return isOfKey(leaf) &&
            java.util.Arrays.stream(paths.first()).allMatch(each -> (leaf.variables() & 1L << labels[each]) != 0) ?
            partition.key(leaf.column()) : null;
    }

    /**
     * The column of the key that a leaf of a measure refers to. Where a measure is computed for a whole match, a row
     * that each match has exists.
     *
     * @return as for {@link #key}
     */
    public StoredColumn keyOfMatch(final PatternExpression.Navigation leaf)
    {
        final StoredColumn key = isOfKey(leaf) && (!program.rules().allRows() || !leaf.running()) &&
            paths.isIn(leaf.variables(), labels) ? partition.key(leaf.column()) : null;
        return key == null ? key(leaf) : key;
    }

    private boolean isOfKey(final PatternExpression.Navigation leaf)
    {
        final boolean exists = leaf.back() == 0 && leaf.offset() == 0 && !program.mayBeEmpty();
        final StoredColumn key = exists ? partition.key(leaf.column()) : null;
        return key != null && !isFloating(key.type()) && key.type() != CqlType.BIGDECIMAL;
    }

    /**
     * The string of the key that a measure consists of, so that its code can be emitted.
     *
     * @param measure index
     * @return {@code null} for another measure
     */
    public StoredColumn codeOfMeasure(final int measure)
    {
        final StoredColumn key = lastVariable < 0 && !program.rules().allRows() &&
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
     * The variable whose current row measures read, when all matches have the same number of rows.
     *
     * @return index; -1 when measures read registers
     */
    public int lastVariable()
    {
        return lastVariable;
    }

    /** The registers of an attempt. */
    public AttemptRegisters registers()
    {
        return registers;
    }

    /** The storage of a partition. */
    public PartitionLayout partition()
    {
        return partition;
    }

    /** The input columns that are read, in order, except strings that are read only as codes of the key. */
    public List<Integer> columns()
    {
        return List.copyOf(columns);
    }

    /**
     * The registers that conditions read: two attempts with equal values in them and the same position have the same
     * future. A subset of {@link AttemptRegisters#all}.
     */
    public List<Register> compared()
    {
        return List.copyOf(registers.all().subList(0, compared));
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
}
