package dev.millrace.cql.compiler.pattern.attempt;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.LocalTypes;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.pattern.AttemptLayout;
import dev.millrace.cql.compiler.pattern.AttemptLayout.Kind;
import dev.millrace.cql.compiler.pattern.AttemptLayout.Register;
import dev.millrace.cql.plan.PatternExpression;
import dev.millrace.cql.runtime.pattern.attempt.AttemptPattern;

/**
 * Where the registers of an attempt are, as Java text. {@code a, q, id} are array, place and id of the attempt,
 * {@code link} its first word, {@code flags} what becomes of it.
 */
final class Registers
{
    private final AttemptLayout layout;
    private final int registersAt;
    private final String prefix;
    private final String owner;
    private final int objectsAt;

    /**
     * Makes a reader.
     *
     * @param layout      where values lie
     * @param registersAt first word of the registers, from {@code q} on
     * @param prefix      of {@code a}, {@code q}, {@code id} and {@code link}; {@code f} for the last row of a match
     * @param owner       text of what holds the objects of an attempt, with the beginning of its arguments
     * @param objectsAt   first object of the registers
     */
    Registers(final AttemptLayout layout, final int registersAt, final String prefix, final String owner,
        final int objectsAt)
    {
        this.layout = layout;
        this.registersAt = registersAt;
        this.prefix = prefix;
        this.owner = owner;
        this.objectsAt = objectsAt;
    }

    /** The text of an object, without the end of its arguments. */
    String object(final Register register)
    {
        return owner + (objectsAt + register.place());
    }

    /** The words of an array and a place in it, where a register lies that has several. */
    String words(final Register register)
    {
        return prefix + "a, " + prefix + "q + " + (registersAt + register.place());
    }

    static String flag(final int flag)
    {
        return "1L << " + (AttemptPattern.FLAG_SHIFT + flag);
    }

    /** The text of a word of the attempt. */
    String word(final int index)
    {
        return prefix + "a[" + prefix + "q + " + index + ']';
    }

    /** The word of a flag that has no room in the first one. */
    String flagWord(final int flag)
    {
        return word(registersAt + layout.flagsAt() + (flag - AttemptLayout.FIRST_FLAGS) / Long.SIZE);
    }

    static String flagBit(final int flag)
    {
        return "1L << " + (flag - AttemptLayout.FIRST_FLAGS) % Long.SIZE;
    }

    /** The test whether a flag is set, in a variable or where the record has it. */
    String has(final int flag, final String variable)
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
    String set(final int flag, final String condition)
    {
        final String to = flag < AttemptLayout.FIRST_FLAGS ? "flags" : flagWord(flag);
        final String bit = flag < AttemptLayout.FIRST_FLAGS ? flag(flag) : flagBit(flag);
        return condition.equals("true") ? to + " |= " + bit + ';' :
            to + " = " + condition + " ? " + to + " | " + bit + " : " + to + " & ~(" + bit + ");";
    }

    /** The text of its first word. */
    String place(final Register register)
    {
        return word(registersAt + register.place());
    }

    /** What it holds. */
    Operand value(final Register register, final ExpressionCode code)
    {
        final String isNull = register.flag() < 0 ? "false" : "!(" + has(register) + ')';
        final String value = register.isReference() ? '(' + LocalTypes.local(register.type()) + ") " +
            object(register) + ')' : register.kind() == Kind.SUM_DOUBLE ?
            "CompensatedSum.value(" + words(register) + ')' :
            decode(register.type(), place(register));
        return register.value() instanceof PatternExpression.Classifier ?
            code.declare(RowValues.name("(int) " + value), isNull, CqlType.CHAR) :
            code.declare(value, isNull, register.type());
    }

    /** The test whether the row has come that is counted from the first. */
    String isTaken(final Register register)
    {
        return has(register.taken() < 0 ? register.flag() : register.taken(), "link");
    }

    /** Copies an object of the registers by so many places. */
    String copy(final int index, final int by)
    {
        return "      " + owner + (objectsAt + index + by) + ", " + owner + (objectsAt + index) + "));\n";
    }

    /** The value of a type that a word holds. */
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

    /** The word that holds a value of a type. */
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
