package dev.millrace.cql.compiler.pattern.attempt;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.LocalTypes;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.pattern.AttemptLayout;
import dev.millrace.cql.compiler.pattern.PatternAnalysis;
import dev.millrace.cql.compiler.pattern.Register;
import dev.millrace.cql.compiler.pattern.Register.Kind;
import dev.millrace.cql.compiler.pattern.StoredColumn;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.PatternExpression;
import dev.millrace.cql.plan.expression.PatternExpression.End;
import java.util.List;

/**
 * Source text for the values of a match that conditions, measures and arguments read. {@code r, o, p} are array, index
 * and id of the partition, {@code a, q, id} those of the attempt, {@code link} its first word.
 *
 * <p>Not thread-safe; used for one class.
 */
final class AttemptLeafResolver
{
    /** Parameters of methods that read an attempt. */
    static final String PARAMETERS = "final long[] r, final int o, final int p, final long[] a, final int q, " +
        "final int id, final long link";
    static final String ARGUMENTS = "r, o, p, a, q, id, link";
    /** The same for the last row of a match. */
    static final String LAST_PARAMETERS = "final long[] fa, final int fq, final int fid, final long flink";
    static final String LAST_ARGUMENTS = "fa, fq, fid, flink";
    private static final long NS_PER_MS = 1_000_000;

    private final AttemptLayout layout;
    private final Registers registers;
    private final RowValues rows;
    private final String prefix;
    private final int numberAt;

    /**
     * @param layout   storage of values
     * @param prefix   of {@code a}, {@code q}, {@code id} and {@code link}; {@code f} for the last row of a match
     * @param numberAt word of a partition with the number of its matches; -1 without
     */
    AttemptLeafResolver(final AttemptLayout layout, final Registers registers, final String prefix, final int numberAt)
    {
        this.layout = layout;
        this.registers = registers;
        this.prefix = prefix;
        this.numberAt = numberAt;
        rows = new RowValues(layout, registers);
    }

    /** A leaf of a condition. */
    Operand ofCondition(final Expression leaf, final int variable, final ExpressionCode code)
    {
        if (leaf instanceof PatternExpression.Navigation navigation)
        {
            if (AttemptLayout.isRow(navigation, variable))
            {
                return rows.row(navigation.column(), navigation.back(), navigation.maxAgeMs() < 0 ? -1 :
                    navigation.maxAgeMs() * NS_PER_MS, navigation.type(), code);
            }
            if (layout.key(navigation) != null)
            {
                return rows.row(navigation.column(), 0, -1, navigation.type(), code);
            }
            final boolean isOwn = (navigation.variables() & 1L << variable) != 0 && navigation.end() == End.FIRST;
            final Register register = layout.registers().register(navigation, variable);
            return isOwn ? firstOrRow(register, rows.row(register, code), code) : registers.value(register, code);
        }
        if (leaf instanceof PatternExpression.Classifier classifier)
        {
            return classifier(classifier, variable, code);
        }
        if (leaf instanceof PatternExpression.Aggregate aggregate)
        {
            return layout.function(aggregate) >= 0 ? function(aggregate, variable, code) :
                aggregate(aggregate, (aggregate.variables() & 1L << variable) != 0, code);
        }
        return RowValues.ofRow(leaf);
    }

    /** The value of a column of the key of a partition. */
    static String key(final StoredColumn key, final String partition)
    {
        final String word = "r[o + " + key.index() + ']';
        return key.isCode() ? "keyStrings.string(" + word + ')' :
            !key.isReference() ? Registers.decode(key.type(), word) :
            '(' + LocalTypes.local(key.type()) + ") partitions.reference(" + partition + ", " + key.index() + ')';
    }

    static String isKeyNull(final StoredColumn key, final String partition)
    {
        return key.isCode() ? "r[o + " + key.index() + "] == 0L" :
            key.isReference() ? "partitions.reference(" + partition + ", " + key.index() + ") == null" :
            key.known() >= 0 ? "r[o + " + key.known() + "] != 0L" : "(r[o] & 1L << " + key.flag() + ") != 0L";
    }

    /** A leaf of a measure. */
    Operand ofMeasure(final Expression leaf, final ExpressionCode code)
    {
        if (leaf instanceof PatternExpression.Navigation navigation)
        {
            if (navigation.back() < 0)
            {
                return ahead(navigation, code);
            }
            final StoredColumn key = layout.keyOfMatch(navigation);
            return key == null ? registers.value(layout.registers().register(navigation, -1), code) :
                code.declare(key(key, "p"), isKeyNull(key, "p"), key.type());
        }
        if (leaf instanceof PatternExpression.RowColumn column)
        {
            return registers.value(layout.registers().register(column), code);
        }
        if (leaf instanceof PatternExpression.Aggregate aggregate)
        {
            return layout.function(aggregate) >= 0 ? function(aggregate, -1, code) : aggregate(aggregate, false, code);
        }
        if (leaf instanceof PatternExpression.Classifier classifier)
        {
            return classifier.back() < 0 ? labelAhead(classifier, code) :
                registers.value(layout.registers().register(classifier, -1), code);
        }
        if (leaf instanceof PatternExpression.MatchNumber)
        {
            return Operand.notNull("r[o + " + numberAt + ']', CqlType.BIGINT);
        }
        throw new IllegalStateException("not a leaf of a measure, leaf=" + leaf);
    }

    /** A row after one of the match. */
    private Operand ahead(final PatternExpression.Navigation leaf, final ExpressionCode code)
    {
        final Register from = layout.registers().arrival(leaf.variables(), leaf.end(), leaf.offset());
        final String row = code.name("r");
        code.line("final int " + row + " = " + registers.has(from) + " ? rowAfter(r, o, " + prefix + "a, " + prefix +
            "q, " + registers.word(from) + ", " + -leaf.back() + ") : NONE;");
        final int index = layout.queued().indexOf(leaf.column());
        return code.declare('(' + LocalTypes.load(leaf.type(), "queues", row, index) + ')', row +
            " < 0 || queues.isNull(" + row + ", " + index + ')', leaf.type());
    }

    /** The variable of a row after one of the match. */
    private Operand labelAhead(final PatternExpression.Classifier leaf, final ExpressionCode code)
    {
        final Register from = layout.registers().arrival(leaf.variables(), leaf.end(), leaf.offset());
        final String label = code.name("l");
        code.line("final int " + label + " = " + registers.has(from) + " ? labelAfter(fid, " +
            registers.word(from) + ", " + -leaf.back() + ") : NONE;");
        return code.declare(Registers.variableName(label), label + " < 0", CqlType.CHAR);
    }

    /** An aggregate that is computed over all rows. */
    private Operand function(final PatternExpression.Aggregate leaf, final int variable, final ExpressionCode code)
    {
        final String value = code.name("f");
        code.line("final Object " + value + " = aggregate(" + layout.function(leaf) + ", p, " + prefix + "id, " +
            variable + ");");
        final CqlType type = leaf.type();
        final String typed = switch (type)
        {
            case INT -> "((Number) " + value + ").intValue()";
            case BIGINT, TIMESTAMP, INTERVAL -> "((Number) " + value + ").longValue()";
            case FLOAT -> "((Number) " + value + ").floatValue()";
            case DOUBLE -> "((Number) " + value + ").doubleValue()";
            case BOOLEAN -> "((Boolean) " + value + ").booleanValue()";
            default -> '(' + LocalTypes.local(type) + ") " + value;
        };
        return code.declare(typed, value + " == null", type);
    }

    /** A leaf of an argument that is computed for a row of a match; reads its record, or the current row. */
    Operand ofArgument(final Expression leaf, final boolean isOfRecord, final ExpressionCode code)
    {
        if (leaf instanceof PatternExpression.Classifier)
        {
            return new Operand(Registers.variableName("variable"), "false", CqlType.CHAR);
        }
        if (leaf instanceof PatternExpression.MatchNumber)
        {
            // No condition reads it.
            return Operand.notNull(isOfRecord ? "r[o + " + numberAt + ']' : "0L", CqlType.BIGINT);
        }
        return isOfRecord ? registers.value(layout.registers().value(leaf), code) : RowValues.ofRow(leaf);
    }

    /** An argument that is computed for a row of a match. */
    Operand ofArguments(final Expression argument, final boolean isOfRecord, final ExpressionCode code)
    {
        return PatternAnalysis.readsMatch(argument) ? code.write(argument) :
            isOfRecord ? registers.value(layout.registers().value(argument), code) : rows.argument(argument, code);
    }

    /** A column of a stored row. */
    static Operand ofQueue(final Expression leaf, final AttemptLayout layout, final ExpressionCode code)
    {
        final int index = layout.queued().indexOf(((PatternExpression.RowColumn)leaf).column());
        return code.declare('(' + LocalTypes.load(leaf.type(), "queues", "row", index) + ')',
            "queues.isNull(row, " + index + ')', leaf.type());
    }

    /** The test whether a row after one of the match has not arrived. */
    String isAwaited(final AttemptLayout.Ahead ahead, final int queueAt)
    {
        return registers.has(ahead.from()) + " && queues.after(r[o + " + queueAt + "], " +
            registers.word(ahead.from()) + ", " + ahead.count() + ") < 0";
    }

    /** The variable of the current row, or of an earlier one. */
    private Operand classifier(
        final PatternExpression.Classifier leaf, final int variable, final ExpressionCode code)
    {
        final Operand own = new Operand(Registers.variableName(Integer.toString(variable)), "false", CqlType.CHAR);
        if (AttemptLayout.isRow(leaf, variable))
        {
            return own;
        }
        if (AttemptLayout.isOwnRow(leaf, variable))
        {
            return rows.earlierLabel(leaf.back(), leaf.maxAgeMs() < 0 ? -1 : leaf.maxAgeMs() * NS_PER_MS, code);
        }
        final Register register = layout.registers().register(leaf, variable);
        final boolean isOwn = (leaf.variables() & 1L << variable) != 0 && leaf.end() == End.FIRST;
        return !isOwn ? registers.value(register, code) : firstOrRow(register, leaf.back() == 0 ? own :
            rows.earlierLabel(leaf.back(), register.maxAgeNs(), code), code);
    }

    /** The row of a set that is counted from the first, which may be the current row. */
    private Operand firstOrRow(final Register register, final Operand row, final ExpressionCode code)
    {
        final Operand first = registers.value(register, code);
        final String taken = code.name("t");
        code.line("final boolean " + taken + " = " + registers.isTaken(register) + ';');
        final String isNull = register.offset() == 0 ? row.isNull() :
            '(' + registers.isTaken(layout.registers().lower(register)) + " ? " + row.isNull() + " : true)";
        return code.declare(taken + " ? " + first.value() + " : " + row.value(), taken + " ? " + first.isNull() +
            " : " + isNull, row.type());
    }

    private Operand aggregate(
        final PatternExpression.Aggregate leaf, final boolean withRow, final ExpressionCode code)
    {
        final List<Register> parts = layout.registers().aggregates(leaf);
        final Operand first = withRow ? withRow(parts.get(0), code) : registers.value(parts.get(0), code);
        if (parts.size() == 1)
        {
            return new Operand(convert(first, leaf.type()), first.isNull(), leaf.type());
        }
        final Operand count = withRow ? withRow(parts.get(1), code) : registers.value(parts.get(1), code);
        return code.declare(convert(new Operand("(double) " + first.value() + " / " + count.value(), "false",
            CqlType.DOUBLE), leaf.type()), first.isNull(), leaf.type());
    }

    private static String convert(final Operand value, final CqlType type)
    {
        return value.type() == type ? value.value() : '(' + LocalTypes.local(type) + ") (" + value.value() + ')';
    }

    /** The value of a register after the current row. */
    private Operand withRow(final Register register, final ExpressionCode code)
    {
        final Operand before = registers.value(register, code);
        if (register.kind() == Kind.COUNT_ROWS)
        {
            return Operand.notNull('(' + before.value() + " + 1L)", CqlType.BIGINT);
        }
        final Operand row = rows.argument(register.value(), code);
        if (register.kind() == Kind.COUNT)
        {
            return code.declare(before.value() + " + (" + row.isNull() + " ? 0L : 1L)", "false", CqlType.BIGINT);
        }
        final String with = switch (register.kind())
        {
            case SUM_LONG -> before.value() + " + " + row.value();
            case SUM_DOUBLE -> "CompensatedSum.value(" + registers.words(register) + ", " + row.value() + ')';
            default -> RegisterUpdates.extreme(register, before.value(), row.value());
        };
        return code.declare(row.isNull() + " ? " + before.value() + " : " + before.isNull() + " ? " +
            convert(row, register.type()) + " : " + with, before.isNull() + " && " + row.isNull(), register.type());
    }
}
