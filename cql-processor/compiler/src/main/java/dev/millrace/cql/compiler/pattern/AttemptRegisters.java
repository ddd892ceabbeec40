package dev.millrace.cql.compiler.pattern;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.pattern.Register.Kind;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.PatternExpression;
import dev.millrace.cql.plan.expression.PatternExpression.End;
import dev.millrace.cql.runtime.pattern.PatternProgram;
import java.util.ArrayList;
import java.util.List;

/**
 * The registers of an attempt: which register holds a value that conditions or measures read, and where an attempt
 * stores it.
 *
 * <p>Filled while an {@link AttemptLayout} is constructed, unchanged afterwards.
 */
public final class AttemptRegisters
{
    /** Number of flags of an attempt in its first word; the first flag marks that it is complete. */
    public static final int FIRST_FLAGS = 16;
    private static final long NS_PER_MS = 1_000_000;
    /** Represents the number of the variable of a row. */
    private static final Expression CLASSIFIER = new PatternExpression.Classifier(0, true);

    private final PatternGraph paths;
    private final int[] labels;
    private final boolean mayBeEmpty;
    private final List<Register> registers = new ArrayList<>();
    private int words;
    private int references;
    private int flags = 1;

    AttemptRegisters(final PatternGraph paths, final PatternProgram program)
    {
        this.paths = paths;
        labels = program.labels();
        mayBeEmpty = program.mayBeEmpty();
    }

    /** Adds a register, and those from which it takes its values, if they do not exist; returns it with its storage. */
    Register add(final Register wanted)
    {
        if (wanted.index() >= 0)
        {
            return wanted;
        }
        if (wanted.offset() > 0)
        {
            add(known(wanted.lower()));
        }
        if (wanted.isOfEarlierLabel())
        {
            add(earlierLabel(wanted.back()));
        }
        final boolean isCount = wanted.kind() == Kind.COUNT_ROWS || wanted.kind() == Kind.COUNT;
        final Register added = new Register(wanted.kind(), wanted.variables(), wanted.offset(), wanted.back(),
            wanted.maxAgeNs(), wanted.value(), wanted.type(), wanted.isReference() ? references++ : words,
            isCount ? -1 : flags++, wanted.kind() == Kind.FIRST ? flags++ : -1);
        registers.add(added);
        words += wanted.words();
        return added;
    }

    private Register known(final Register wanted)
    {
        return registers.stream().filter(wanted::isSame).findFirst().orElse(wanted);
    }

    /**
     * The register of a leaf.
     *
     * @param leaf     does not refer to the current row
     * @param variable whose condition reads it, before the current row is labelled; -1 for none
     * @return an element of {@link #all}
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
     * @return an element of {@link #all}
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

    /**
     * The register of a column of the last row.
     *
     * @param leaf of a measure
     * @return an element of {@link #all}
     */
    public Register register(final PatternExpression.RowColumn leaf)
    {
        return known(new Register(mayBeEmpty ? Kind.ROW : Kind.LAST, -1L, 0, 0, -1,
            new Expression.Column(leaf.column(), leaf.type(), true), leaf.type()));
    }

    /**
     * The register with the number of a row of the match in the stream.
     *
     * @param variables mask of the variables whose rows are counted
     * @param end       from which end they are counted
     * @param offset    distance in rows
     * @return an element of {@link #all}
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
     * @return an element of {@link #all}
     */
    public Register value(final Expression expression)
    {
        return known(new Register(Kind.LAST, -1L, 0, 0, -1, expression, expression.type()));
    }

    /**
     * The register with the variable of an earlier row, before the current row is labelled.
     *
     * @param back distance in rows, at least 1
     * @return an element of {@link #all}
     */
    public Register earlierLabel(final int back)
    {
        return known(new Register(Kind.LAST, -1L, back - 1, 0, -1, CLASSIFIER, CqlType.BIGINT));
    }

    /**
     * The register of the row that is counted before that of another one.
     *
     * @param register with an offset
     * @return an element of {@link #all}
     */
    public Register lower(final Register register)
    {
        return known(register.lower());
    }

    /**
     * The registers of an aggregate: its value; for averages the sum and the number of values.
     *
     * @param leaf not computed by a function
     * @return one or two elements of {@link #all}
     */
    public List<Register> aggregates(final PatternExpression.Aggregate leaf)
    {
        if (leaf.arguments().isEmpty())
        {
            return List.of(aggregate(Kind.COUNT_ROWS, leaf, null, CqlType.BIGINT));
        }
        final Expression argument = leaf.arguments().get(0);
        final boolean isFloating = argument.type() == CqlType.FLOAT || argument.type() == CqlType.DOUBLE;
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

    private Kind kind(final boolean isFirst, final long variables, final int offset)
    {
        return isFirst && (offset > 0 || mayRepeat(variables)) ? Kind.FIRST : Kind.LAST;
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

    /** All registers, in the order of their storage. */
    public List<Register> all()
    {
        return List.copyOf(registers);
    }

    /** Number of words of all registers, including those for flags. */
    public int words()
    {
        return words + Math.max(0, flags - FIRST_FLAGS + Long.SIZE - 1) / Long.SIZE;
    }

    /** Number of objects of all registers. */
    public int references()
    {
        return references;
    }

    /**
     * Index, among the words of the registers, of the first word of the flags that do not fit into the first word of an
     * attempt.
     */
    public int flagsAt()
    {
        return words;
    }
}
