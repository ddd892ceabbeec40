package dev.millrace.cql.compiler.pattern.attempt;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.LocalTypes;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.pattern.AttemptLayout;
import dev.millrace.cql.compiler.pattern.AttemptRegisters;
import dev.millrace.cql.compiler.pattern.Register;
import dev.millrace.cql.compiler.pattern.Register.Kind;
import dev.millrace.cql.plan.expression.PatternExpression;
import dev.millrace.cql.runtime.pattern.attempt.AttemptPattern;

/**
 * Source text for the registers of an attempt. {@code a, q, id} are array, index and id of the attempt, {@code link}
 * its first word, {@code flags} its new flags.
 */
final class Registers
{
    private final AttemptLayout layout;
    private final int registersAt;
    private final String prefix;
    private final String owner;
    private final int objectsAt;

    /**
     * @param layout      storage of values
     * @param registersAt first word of the registers, from {@code q} on
     * @param prefix      of {@code a}, {@code q}, {@code id} and {@code link}; {@code f} for the last row of a match
     * @param owner       source text of the owner of an attempt's objects, with the beginning of its arguments
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

    /** Source text of an object, without the end of its arguments. */
    String object(final Register register)
    {
        return owner + (objectsAt + register.index());
    }

    /** Array and index of a register with several words. */
    String words(final Register register)
    {
        return prefix + "a, " + prefix + "q + " + (registersAt + register.index());
    }

    static String flag(final int flag)
    {
        return "1L << " + (AttemptPattern.FLAG_SHIFT + flag);
    }

    /** Source text of a word of the attempt. */
    String word(final int index)
    {
        return prefix + "a[" + prefix + "q + " + index + ']';
    }

    /** The word of a flag that does not fit into the first one. */
    String flagWord(final int flag)
    {
        return word(registersAt + layout.registers().flagsAt() + (flag - AttemptRegisters.FIRST_FLAGS) / Long.SIZE);
    }

    static String flagBit(final int flag)
    {
        return "1L << " + (flag - AttemptRegisters.FIRST_FLAGS) % Long.SIZE;
    }

    /** The test whether a flag is set, in a variable or in the record. */
    String has(final int flag, final String variable)
    {
        return flag < AttemptRegisters.FIRST_FLAGS ? '(' + variable + " & " + flag(flag) + ") != 0L" :
            '(' + flagWord(flag) + " & " + flagBit(flag) + ") != 0L";
    }

    /** The test whether a register has a value. */
    String has(final Register register)
    {
        return has(register.flag(), prefix + "link");
    }

    /** The statement that sets a flag when a condition holds, and clears it otherwise. */
    String set(final int flag, final String condition)
    {
        final String to = flag < AttemptRegisters.FIRST_FLAGS ? "flags" : flagWord(flag);
        final String bit = flag < AttemptRegisters.FIRST_FLAGS ? flag(flag) : flagBit(flag);
        return condition.equals("true") ? to + " |= " + bit + ';' :
            to + " = " + condition + " ? " + to + " | " + bit + " : " + to + " & ~(" + bit + ");";
    }

    /** Source text of its first word. */
    String word(final Register register)
    {
        return word(registersAt + register.index());
    }

    /** Its value. */
    Operand value(final Register register, final ExpressionCode code)
    {
        final String isNull = register.flag() < 0 ? "false" : "!(" + has(register) + ')';
        final String value = register.isReference() ? '(' + LocalTypes.local(register.type()) + ") " +
            object(register) + ')' : register.kind() == Kind.SUM_DOUBLE ?
            "CompensatedSum.value(" + words(register) + ')' :
            decode(register.type(), word(register));
        return register.value() instanceof PatternExpression.Classifier ?
            code.declare(variableName("(int) " + value), isNull, CqlType.CHAR) :
            code.declare(value, isNull, register.type());
    }

    /** The test whether the row counted from the first has arrived. */
    String isTaken(final Register register)
    {
        return has(register.taken() < 0 ? register.flag() : register.taken(), "link");
    }

    /** Copies an object of the registers by a distance. */
    String copy(final int index, final int by)
    {
        return "      " + owner + (objectsAt + index + by) + ", " + owner + (objectsAt + index) + "));\n";
    }

    /** Converts a word to a value of a type. */
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

    /** Converts a value of a type to a word. */
    static String encode(final CqlType type, final String value)
    {
        return switch (type)
        {
            case BOOLEAN -> '(' + value + " ? 1L : 0L)";
            case FLOAT, DOUBLE -> "Double.doubleToRawLongBits(" + value + ')';
            default -> value;
        };
    }

    /** The name of a variable. */
    static String variableName(final String variable)
    {
        return "VARIABLES[" + variable + ']';
    }
}
