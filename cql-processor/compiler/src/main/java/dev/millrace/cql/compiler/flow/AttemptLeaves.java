package dev.millrace.cql.compiler.flow;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.LocalTypes;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.pattern.AttemptLayout;
import dev.millrace.cql.compiler.pattern.AttemptLayout.Kept;
import dev.millrace.cql.compiler.pattern.AttemptLayout.Kind;
import dev.millrace.cql.compiler.pattern.AttemptLayout.Register;
import dev.millrace.cql.compiler.pattern.PatternAnalysis;
import dev.millrace.cql.plan.Expression;
import dev.millrace.cql.plan.PatternExpression;
import dev.millrace.cql.plan.PatternExpression.End;
import dev.millrace.cql.runtime.pattern.attempt.AttemptPattern;
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
    /** The same of the last row of a match. */
    static final String LAST_PARAMETERS = "final long[] fa, final int fq, final int fid, final long flink";
    static final String LAST_ARGUMENTS = "fa, fq, fid, flink";
    private static final long NS_PER_MS = 1_000_000;

    private final AttemptLayout layout;
    private final int registersAt;
    private final String prefix;
    private final String owner;
    private final int objectsAt;
    private final int numberAt;

    /**
     * Makes a reader.
     *
     * @param layout      where values lie
     * @param registersAt first word of the registers, from {@code q} on
     * @param prefix      of {@code a}, {@code q}, {@code id} and {@code link}; {@code f} for the last row of a match
     * @param owner       text of what holds the objects of an attempt, with the beginning of its arguments
     * @param objectsAt   first object of the registers
     * @param numberAt    word of a partition with the number of its matches; -1 without
     */
    AttemptLeaves(final AttemptLayout layout, final int registersAt, final String prefix, final String owner,
        final int objectsAt, final int numberAt)
    {
        this.numberAt = numberAt;
        this.layout = layout;
        this.registersAt = registersAt;
        this.prefix = prefix;
        this.owner = owner;
        this.objectsAt = objectsAt;
    }

    static String flag(final int flag)
    {
        return "1L << " + (AttemptPattern.FLAG_SHIFT + flag);
    }

    /** The text of a word of the attempt. */
    private String word(final int index)
    {
        return prefix + "a[" + prefix + "q + " + index + ']';
    }

    /** The word of a flag that has no room in the first one. */
    private String flagWord(final int flag)
    {
        return word(registersAt + layout.flagsAt() + (flag - AttemptLayout.FIRST_FLAGS) / Long.SIZE);
    }

    private static String flagBit(final int flag)
    {
        return "1L << " + (flag - AttemptLayout.FIRST_FLAGS) % Long.SIZE;
    }

    /** The test whether a flag is set, in a variable or where the record has it. */
    private String has(final int flag, final String variable)
    {
        return flag < AttemptLayout.FIRST_FLAGS ? '(' + variable + " & " + flag(flag) + ") != 0L" :
            '(' + flagWord(flag) + " & " + flagBit(flag) + ") != 0L";
    }

    /** The test whether a register has a value. */
    String has(final Register register)
    {
        return has(register.flag(), prefix + "link");
    }

    /** The statement that sets a flag where a condition holds, and else takes it away. */
    private String set(final int flag, final String condition)
    {
        final String to = flag < AttemptLayout.FIRST_FLAGS ? "flags" : flagWord(flag);
        final String bit = flag < AttemptLayout.FIRST_FLAGS ? flag(flag) : flagBit(flag);
        return condition.equals("true") ? to + " |= " + bit + ';' :
            to + " = " + condition + " ? " + to + " | " + bit + " : " + to + " & ~(" + bit + ");";
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
            return layout.function(aggregate) >= 0 ? function(aggregate, variable, code) :
                aggregate(aggregate, (aggregate.variables() & 1L << variable) != 0, code);
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
            if (navigation.back() < 0)
            {
                return ahead(navigation, code);
            }
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
            return layout.function(aggregate) >= 0 ? function(aggregate, -1, code) : aggregate(aggregate, false, code);
        }
        if (leaf instanceof PatternExpression.Classifier classifier)
        {
            return classifier.back() < 0 ? labelAhead(classifier, code) : value(layout.register(classifier, -1), code);
        }
        if (leaf instanceof PatternExpression.MatchNumber)
        {
            return Operand.notNull("r[o + " + numberAt + ']', CqlType.BIGINT);
        }
        throw new IllegalStateException("not a leaf of a measure, leaf=" + leaf);
    }

    /** A row behind one of the match. */
    private Operand ahead(final PatternExpression.Navigation leaf, final ExpressionCode code)
    {
        final Register from = layout.arrival(leaf.variables(), leaf.end(), leaf.offset());
        final String row = code.name("r");
        code.line("final int " + row + " = " + has(from) + " ? rowAfter(r, o, " + prefix + "a, " + prefix + "q, " +
            place(from) + ", " + -leaf.back() + ") : NONE;");
        final int index = layout.queued().indexOf(leaf.column());
        return code.declare('(' + LocalTypes.load(leaf.type(), "queues", row, index) + ')', row +
            " < 0 || queues.isNull(" + row + ", " + index + ')', leaf.type());
    }

    /** The variable of a row behind one of the match. */
    private Operand labelAhead(final PatternExpression.Classifier leaf, final ExpressionCode code)
    {
        final Register from = layout.arrival(leaf.variables(), leaf.end(), leaf.offset());
        final String label = code.name("l");
        code.line("final int " + label + " = " + has(from) + " ? labelAfter(fid, " + place(from) + ", " +
            -leaf.back() + ") : NONE;");
        return code.declare(name(label), label + " < 0", CqlType.CHAR);
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

    /** A leaf of an argument that is computed for a row of a match; its record is read, or the row at hand. */
    Operand ofArgument(final Expression leaf, final boolean isOfRecord, final ExpressionCode code)
    {
        if (leaf instanceof PatternExpression.Classifier)
        {
            return new Operand(name("variable"), "false", CqlType.CHAR);
        }
        if (leaf instanceof PatternExpression.MatchNumber)
        {
            // No condition reads it.
            return Operand.notNull(isOfRecord ? "r[o + " + numberAt + ']' : "0L", CqlType.BIGINT);
        }
        return isOfRecord ? value(layout.value(leaf), code) : ofRow(leaf);
    }

    /** An argument that is computed for a row of a match. */
    Operand ofArguments(final Expression argument, final boolean isOfRecord, final ExpressionCode code)
    {
        return PatternAnalysis.readsMatch(argument) ? code.write(argument) :
            isOfRecord ? value(layout.value(argument), code) : argument(argument, code);
    }

    /** A column of a row that is kept. */
    static Operand ofQueue(final Expression leaf, final AttemptLayout layout, final ExpressionCode code)
    {
        final int index = layout.queued().indexOf(((PatternExpression.RowColumn)leaf).column());
        return code.declare('(' + LocalTypes.load(leaf.type(), "queues", "row", index) + ')',
            "queues.isNull(row, " + index + ')', leaf.type());
    }

    /** The test whether a row behind one of the match has not come. */
    String isAwaited(final AttemptLayout.Ahead ahead, final int queueAt)
    {
        return has(ahead.from()) + " && queues.after(r[o + " + queueAt + "], " + place(ahead.from()) + ", " +
            ahead.count() + ") < 0";
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
        if (AttemptLayout.isOwnRow(leaf, variable))
        {
            return earlierLabel(leaf.back(), leaf.maxAgeMs() < 0 ? -1 : leaf.maxAgeMs() * NS_PER_MS, code);
        }
        final Register register = layout.register(leaf, variable);
        final boolean isOwn = (leaf.variables() & 1L << variable) != 0 && leaf.end() == End.FIRST;
        return !isOwn ? value(register, code) : firstOrRow(register, leaf.back() == 0 ? own :
            earlierLabel(leaf.back(), register.maxAgeNs(), code), code);
    }

    /** The variable of a row before the one at hand. */
    private Operand earlierLabel(final int back, final long maxAgeNs, final ExpressionCode code)
    {
        final Operand label = value(layout.earlierLabel(back), code);
        return maxAgeNs < 0 ? label : code.declare(label.value(), label.isNull() + isOlder(back, maxAgeNs),
            label.type());
    }

    private String isOlder(final int back, final long maxAgeNs)
    {
        return maxAgeNs < 0 ? "" :
            " || nowNs - r[o + " + (layout.agesAt() + back - 1) + "] > " + maxAgeNs + 'L';
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
        final String isNull = kept.flag() >= 0 ? "(r[o] & 1L << " + (kept.flag() + back - 1) + ") != 0L" :
            "r[o + " + (kept.known() + back - 1) + "] == 0L";
        return code.declare(value, isNull + isOlder(back, maxAgeNs), type);
    }

    private String place(final Register register)
    {
        return word(registersAt + register.place());
    }

    private Operand value(final Register register, final ExpressionCode code)
    {
        final String isNull = register.flag() < 0 ? "false" : "!(" + has(register) + ')';
        final String value = register.isReference() ? '(' + LocalTypes.local(register.type()) + ") " + owner +
            (objectsAt + register.place()) + ')' : register.kind() == Kind.SUM_DOUBLE ?
            "CompensatedSum.value(" + prefix + "a, " + prefix + "q + " + (registersAt + register.place()) + ')' :
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

    private String isTaken(final Register register)
    {
        return has(register.taken() < 0 ? register.flag() : register.taken(), "link");
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
            case OBJECT, XMLTYPE -> "(" + one + ".equals(" + other + ") ? 0 : 1)";
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
                code.line(set(register.taken(), "true"));
                set(register, variable, code);
                code.line("}");
            }
            case LAST, ROW -> set(register, variable, code);
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
        final Operand row = rowOf(register, variable, code);
        code.line(register.isReference() ? owner + (objectsAt + register.place()) +
            ", " + row.isNull() + " ? null : " + row.value() + ");" :
            place(register) + " = " + encode(register.type(), row.value()) + ';');
        code.line(set(register.flag(), "!(" + row.isNull() + ')'));
    }

    /** What a register takes of the row at hand. */
    private Operand rowOf(final Register register, final int variable, final ExpressionCode code)
    {
        if (register.value() == null)
        {
            return Operand.notNull("arrival", CqlType.BIGINT);
        }
        if (register.isOfEarlierLabel())
        {
            // Its number, not its name.
            final Register label = layout.earlierLabel(register.back());
            return code.declare(place(label), "!(" + has(label) + ')' + isOlder(register.back(), register.maxAgeNs()),
                CqlType.BIGINT);
        }
        if (register.value() instanceof PatternExpression.Classifier)
        {
            return Operand.notNull(Integer.toString(variable), CqlType.BIGINT);
        }
        return register.value() instanceof Expression.Column ? row(register, code) : argument(register.value(), code);
    }

    /** The row before becomes the one before that; that of the row before is brought up to date later. */
    private void shift(final Register to, final Register from, final ExpressionCode code)
    {
        code.line(to.isReference() ? owner + (objectsAt + to.place()) + ", " + owner + (objectsAt + from.place()) +
            "));" : place(to) + " = " + place(from) + ';');
        code.line(set(to.flag(), has(from)));
    }

    private void accumulate(final Register register, final ExpressionCode code)
    {
        final Operand row = argument(register.value(), code);
        final String has = has(Math.max(0, register.flag()), "flags");
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
            code.line(set(register.flag(), "true"));
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
