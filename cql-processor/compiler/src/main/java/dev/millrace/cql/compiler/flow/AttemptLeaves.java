package dev.millrace.cql.compiler.flow;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.LocalTypes;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.pattern.AttemptLayout;
import dev.millrace.cql.compiler.pattern.AttemptLayout.Kept;
import dev.millrace.cql.compiler.pattern.AttemptLayout.Kind;
import dev.millrace.cql.compiler.pattern.AttemptLayout.Register;
import dev.millrace.cql.plan.Expression;
import dev.millrace.cql.plan.PatternExpression;
import dev.millrace.cql.plan.PatternExpression.End;
import java.util.List;

/**
 * Reads and writes the values of a pattern whose attempts are records, as Java text. Columns of the row at hand are
 * fields {@code x..} and {@code z..} (null) of the class; {@code r, o, p} are array, place and id of the partition,
 * {@code a, q, id} those of the attempt, {@code link} its first word.
 *
 * <p>Used by one thread, for one class.
 */
final class AttemptLeaves
{
    /** Parameters of methods that read an attempt. */
    static final String PARAMETERS = "final long[] r, final int o, final int p, final long[] a, final int q, " +
        "final int id, final long link";
    static final String ARGUMENTS = "r, o, p, a, q, id, link";
    private static final long NS_PER_MS = 1_000_000;

    private final AttemptLayout layout;
    private final int registersAt;
    private final String owner;
    private final int objectsAt;
    private final int numberAt;

    /**
     * Makes a reader.
     *
     * @param layout      where values lie
     * @param registersAt first word of the registers, from {@code q} on
     * @param owner       text of what holds the objects of an attempt, with the beginning of its arguments
     * @param objectsAt   first object of the registers
     * @param numberAt    word of a partition with the number of its matches; -1 without
     */
    AttemptLeaves(final AttemptLayout layout, final int registersAt, final String owner, final int objectsAt,
        final int numberAt)
    {
        this.numberAt = numberAt;
        this.layout = layout;
        this.registersAt = registersAt;
        this.owner = owner;
        this.objectsAt = objectsAt;
    }

    static String flag(final int flag)
    {
        return "1L << " + (40 + flag);
    }

    /** A leaf of a condition. */
    Operand ofCondition(final Expression leaf, final int variable, final ExpressionCode code)
    {
        if (leaf instanceof PatternExpression.Navigation navigation)
        {
            if (AttemptLayout.isRow(navigation, variable))
            {
                return row(navigation.column(), navigation.back(), navigation.maxAgeMs() < 0 ? -1 :
                    navigation.maxAgeMs() * NS_PER_MS, navigation.type(), code);
            }
            if (layout.key(navigation) != null)
            {
                return row(navigation.column(), 0, -1, navigation.type(), code);
            }
            final boolean isOwn = (navigation.variables() & 1L << variable) != 0 && navigation.end() == End.FIRST;
            final Register register = layout.register(navigation, variable);
            return isOwn ? firstOrRow(register, row(register, code), code) : value(register, code);
        }
        if (leaf instanceof PatternExpression.Classifier classifier)
        {
            return classifier(classifier, variable, code);
        }
        if (leaf instanceof PatternExpression.Aggregate aggregate)
        {
            return aggregate(aggregate, (aggregate.variables() & 1L << variable) != 0, code);
        }
        return ofRow(leaf);
    }

    /** The value of a column of the key of a partition. */
    static String key(final Kept key, final String partition)
    {
        final String word = "r[o + " + key.place() + ']';
        return key.isCode() ? "texts.string(" + word + ')' : !key.isReference() ? decode(key.type(), word) :
            '(' + LocalTypes.local(key.type()) + ") partitions.reference(" + partition + ", " + key.place() + ')';
    }

    static String isKeyNull(final Kept key)
    {
        return key.isCode() ? "r[o + " + key.place() + "] == 0L" : "(r[o] & 1L << " + key.flag() + ") != 0L";
    }

    /** A leaf of a measure. */
    Operand ofMeasure(final Expression leaf, final ExpressionCode code)
    {
        if (leaf instanceof PatternExpression.Navigation navigation)
        {
            final Kept key = layout.key(navigation);
            return key == null ? value(layout.register(navigation, -1), code) :
                code.declare(key(key, "p"), isKeyNull(key), key.type());
        }
        if (leaf instanceof PatternExpression.RowColumn column)
        {
            return value(layout.register(column), code);
        }
        if (leaf instanceof PatternExpression.Aggregate aggregate)
        {
            return aggregate(aggregate, false, code);
        }
        if (leaf instanceof PatternExpression.Classifier classifier)
        {
            return value(layout.register(classifier, -1), code);
        }
        if (leaf instanceof PatternExpression.MatchNumber)
        {
            return Operand.notNull("r[o + " + numberAt + ']', CqlType.BIGINT);
        }
        throw new IllegalStateException("not a leaf of a measure, leaf=" + leaf);
    }

    /** A column of the row at hand. */
    static Operand ofRow(final Expression leaf)
    {
        if (leaf instanceof Expression.Column column)
        {
            return new Operand("x" + column.column(), "z" + column.column(), column.type());
        }
        throw new IllegalStateException("not a column of a row, leaf=" + leaf);
    }

    /** The variable of the row at hand, or of one before it. */
    private Operand classifier(
        final PatternExpression.Classifier leaf, final int variable, final ExpressionCode code)
    {
        final Operand own = new Operand(name(Integer.toString(variable)), "false", CqlType.CHAR);
        if (AttemptLayout.isRow(leaf, variable))
        {
            return own;
        }
        final Register register = layout.register(leaf, variable);
        final boolean isOwn = (leaf.variables() & 1L << variable) != 0 && leaf.end() == End.FIRST;
        return isOwn ? firstOrRow(register, own, code) : value(register, code);
    }

    private static String name(final String variable)
    {
        return "VARIABLES[" + variable + ']';
    }

    private Operand row(final Register register, final ExpressionCode code)
    {
        return row(((Expression.Column)register.value()).column(), register.back(), register.maxAgeNs(),
            register.type(), code);
    }

    private Operand row(
        final int column, final int back, final long maxAgeNs, final CqlType type, final ExpressionCode code)
    {
        if (back == 0)
        {
            return new Operand("x" + column, "z" + column, type);
        }
        final Kept kept = layout.earlier(column);
        final String value = kept.isReference() ?
            '(' + LocalTypes.local(type) + ") partitions.reference(p, " + (kept.place() + back - 1) + ')' :
            decode(type, "r[o + " + (kept.place() + back - 1) + ']');
        final String isOld = maxAgeNs < 0 ? "" :
            " || nowNs - r[o + " + (layout.agesAt() + back - 1) + "] > " + maxAgeNs + 'L';
        return code.declare(value, "(r[o] & 1L << " + (kept.flag() + back - 1) + ") != 0L" + isOld, type);
    }

    private String place(final Register register)
    {
        return "a[q + " + (registersAt + register.place()) + ']';
    }

    private Operand value(final Register register, final ExpressionCode code)
    {
        final String isNull = register.flag() < 0 ? "false" : "(link & " + flag(register.flag()) + ") == 0L";
        final String value = register.isReference() ? '(' + LocalTypes.local(register.type()) + ") " + owner +
            (objectsAt + register.place()) + ')' : register.kind() == Kind.SUM_DOUBLE ?
            "CompensatedSum.value(a, q + " + (registersAt + register.place()) + ')' :
            decode(register.type(), place(register));
        return register.value() instanceof PatternExpression.Classifier ?
            code.declare(name("(int) " + value), isNull, CqlType.CHAR) : code.declare(value, isNull, register.type());
    }

    /** The row of a set that is counted from the first, or the row at hand when it is that. */
    private Operand firstOrRow(final Register register, final Operand row, final ExpressionCode code)
    {
        final Operand first = value(register, code);
        final String taken = code.name("t");
        code.line("final boolean " + taken + " = " + isTaken(register) + ';');
        final String isNull = register.offset() == 0 ? row.isNull() :
            '(' + isTaken(layout.lower(register)) + " ? " + row.isNull() + " : true)";
        return code.declare(taken + " ? " + first.value() + " : " + row.value(), taken + " ? " + first.isNull() +
            " : " + isNull, row.type());
    }

    private static String isTaken(final Register register)
    {
        return "(link & " + flag(register.taken() < 0 ? register.flag() : register.taken()) + ") != 0L";
    }

    private Operand aggregate(
        final PatternExpression.Aggregate leaf, final boolean withRow, final ExpressionCode code)
    {
        final List<Register> registers = layout.aggregates(leaf);
        final Operand first = withRow ? withRow(registers.get(0), code) : value(registers.get(0), code);
        if (registers.size() == 1)
        {
            return new Operand(convert(first, leaf.type()), first.isNull(), leaf.type());
        }
        final Operand count = withRow ? withRow(registers.get(1), code) : value(registers.get(1), code);
        return code.declare(convert(new Operand("(double) " + first.value() + " / " + count.value(), "false",
            CqlType.DOUBLE), leaf.type()), first.isNull(), leaf.type());
    }

    private static String convert(final Operand value, final CqlType type)
    {
        return value.type() == type ? value.value() : '(' + LocalTypes.local(type) + ") (" + value.value() + ')';
    }

    /** The value of a register after the row at hand. */
    private Operand withRow(final Register register, final ExpressionCode code)
    {
        final Operand before = value(register, code);
        if (register.kind() == Kind.COUNT_ROWS)
        {
            return Operand.notNull('(' + before.value() + " + 1L)", CqlType.BIGINT);
        }
        final Operand row = argument(register.value(), code);
        if (register.kind() == Kind.COUNT)
        {
            return code.declare(before.value() + " + (" + row.isNull() + " ? 0L : 1L)", "false", CqlType.BIGINT);
        }
        final String with = switch (register.kind())
        {
            case SUM_LONG -> before.value() + " + " + row.value();
            case SUM_DOUBLE -> "CompensatedSum.value(a, q + " + (registersAt + register.place()) + ", " + row.value() +
                ')';
            default -> extreme(register, before.value(), row.value());
        };
        return code.declare(row.isNull() + " ? " + before.value() + " : " + before.isNull() + " ? " +
            convert(row, register.type()) + " : " + with, before.isNull() + " && " + row.isNull(), register.type());
    }

    /** An argument of an aggregate, of the row at hand. */
    private Operand argument(final Expression argument, final ExpressionCode code)
    {
        final int computed = layout.computed().indexOf(argument);
        return computed < 0 ? code.write(argument) :
            new Operand("argument" + computed, "noArgument" + computed, argument.type());
    }

    private static String extreme(final Register register, final String before, final String row)
    {
        return order(register.type(), row, before) + (register.kind() == Kind.MIN ? " < 0 ? " : " > 0 ? ") + row +
            " : " + before;
    }

    /** Which of two values is less. */
    private static String order(final CqlType type, final String one, final String other)
    {
        return switch (type)
        {
            case FLOAT, DOUBLE -> "Double.compare(" + one + " + 0.0, " + other + " + 0.0)";
            case CHAR -> "RowStore.compareTexts(" + one + ", " + other + ')';
            case BIGDECIMAL -> '(' + one + ").compareTo(" + other + ')';
            case BYTE -> "java.util.Arrays.compare(" + one + ", " + other + ')';
            case BOOLEAN -> "Boolean.compare(" + one + ", " + other + ')';
            default -> "Long.compare(" + one + ", " + other + ')';
        };
    }

    /** Writes statements that bring a register up to date with the row at hand; {@code flags} is a variable. */
    void update(final Register register, final int variable, final ExpressionCode code)
    {
        switch (register.kind())
        {
            case COUNT_ROWS -> code.line(place(register) + "++;");
            case FIRST ->
            {
                code.line("if (!(" + isTaken(register) + ')' + (register.offset() == 0 ? "" :
                    " && " + isTaken(layout.lower(register))) + ") {");
                code.line("flags |= " + flag(register.taken()) + ';');
                set(register, variable, code);
                code.line("}");
            }
            case LAST -> set(register, variable, code);
            default -> accumulate(register, code);
        }
    }

    private void set(final Register register, final int variable, final ExpressionCode code)
    {
        if (register.kind() == Kind.LAST && register.offset() > 0)
        {
            shift(register, layout.lower(register), code);
            return;
        }
        final Operand row = register.value() == null ? Operand.notNull("arrival", CqlType.BIGINT) :
            register.value() instanceof PatternExpression.Classifier ?
            Operand.notNull(Integer.toString(variable), CqlType.BIGINT) : row(register, code);
        code.line(register.isReference() ? owner + (objectsAt + register.place()) +
            ", " + row.isNull() + " ? null : " + row.value() + ");" :
            place(register) + " = " + encode(register.type(), row.value()) + ';');
        code.line("flags = " + row.isNull() + " ? flags & ~(" + flag(register.flag()) + ") : flags | " +
            flag(register.flag()) + ';');
    }

    /** The row before becomes the one before that; that of the row before is brought up to date later. */
    private void shift(final Register to, final Register from, final ExpressionCode code)
    {
        code.line(to.isReference() ? owner + (objectsAt + to.place()) + ", " + owner + (objectsAt + from.place()) +
            "));" : place(to) + " = " + place(from) + ';');
        code.line("flags = (link & " + flag(from.flag()) + ") == 0L ? flags & ~(" + flag(to.flag()) +
            ") : flags | " + flag(to.flag()) + ';');
    }

    private void accumulate(final Register register, final ExpressionCode code)
    {
        final Operand row = argument(register.value(), code);
        final String has = "(flags & " + flag(Math.max(0, register.flag())) + ") != 0L";
        code.line("if (!" + row.isNull() + ") {");
        switch (register.kind())
        {
            case COUNT -> code.line(place(register) + "++;");
            case SUM_LONG -> code.line(place(register) + " += " + row.value() + ';');
            case SUM_DOUBLE -> code.line("CompensatedSum.add(a, q + " + (registersAt + register.place()) + ", " +
                row.value() + ");");
            default ->
            {
                final String before = register.isReference() ? '(' + LocalTypes.local(register.type()) + ") " + owner +
                    (objectsAt + register.place()) + ')' : decode(register.type(), place(register));
                code.line("if (!(" + has + ") || " + order(register.type(), row.value(), '(' + before + ')') +
                    (register.kind() == Kind.MIN ? " < 0" : " > 0") + ") " + (register.isReference() ?
                    owner + (objectsAt + register.place()) + ", " + row.value() + ");" :
                    place(register) + " = " + encode(register.type(), row.value()) + ';'));
            }
        }
        if (register.flag() >= 0)
        {
            code.line("flags |= " + flag(register.flag()) + ';');
        }
        code.line("}");
    }

    /** Copies an object of the registers by so many places. */
    String copy(final int index, final int by)
    {
        return "      " + owner + (objectsAt + index + by) + ", " + owner + (objectsAt + index) + "));\n";
    }

    static String decode(final CqlType type, final String word)
    {
        return switch (type)
        {
            case INT -> "(int) " + word;
            case BOOLEAN -> word + " != 0L";
            case FLOAT -> "(float) Double.longBitsToDouble(" + word + ')';
            case DOUBLE -> "Double.longBitsToDouble(" + word + ')';
            default -> word;
        };
    }

    static String encode(final CqlType type, final String value)
    {
        return switch (type)
        {
            case BOOLEAN -> '(' + value + " ? 1L : 0L)";
            case FLOAT, DOUBLE -> "Double.doubleToRawLongBits(" + value + ')';
            default -> value;
        };
    }
}
