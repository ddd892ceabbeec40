package dev.millrace.cql.compiler.unit.code;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.LocalTypes;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.plan.Expression;
import java.util.HashMap;
import java.util.Map;

/**
 * Expressions of one string whose values are remembered by the code of the string: each has a method that computes it,
 * and a field with what it has given. Equal expressions of different columns share both.
 *
 * <p>Used by one thread, for one class.
 */
final class RememberedTexts
{
    private static final String PARAMETERS = "final int k, final String text";
    private static final String ARGUMENTS = "k, text";
    private static final Expression ANY = new Expression.Column(0, CqlType.CHAR, true);

    private final UnitText unit;
    private final Map<Expression, String> names = new HashMap<>();
    /** Steps of what is remembered are not remembered themselves. */
    private boolean isWriting;

    RememberedTexts(final UnitText unit)
    {
        this.unit = unit;
    }

    /** Writes where an expression is read; {@code null} within another one. */
    Operand write(final Expression expression, final Expression leaf, final Operand text, final ExpressionCode code)
    {
        if (isWriting || !(leaf instanceof Expression.Column))
        {
            return null;
        }
        final String name = names.computeIfAbsent(Expressions.over(expression, column -> ANY), this::declare);
        final String key = code.name("y");
        code.line("final int " + key + " = " + text.code() + ';');
        final String make = name + "make(" + key + ", codes.string(" + key + "));";
        if (expression.type() == CqlType.CHAR)
        {
            final String result = code.name("c");
            code.line("int " + result + " = " + name + ".of(" + key + ");");
            code.line("if (" + result + " < 0) " + result + " = " + make);
            return UnitText.ofCode(result);
        }
        if (expression.type() == CqlType.BOOLEAN)
        {
            final String flag = code.name("f");
            code.line("byte " + flag + " = " + name + ".of(" + key + ");");
            code.line("if (" + flag + " == TextFlags.UNKNOWN) " + flag + " = " + make);
            return new Operand('(' + flag + " == TextFlags.TRUE)", '(' + flag + " == TextFlags.NULL)",
                CqlType.BOOLEAN);
        }
        code.line("if (!" + name + ".has(" + key + ")) " + make);
        return code.declare(value(expression.type(), name + ".value(" + key + ')'), name + ".isNull(" + key + ')',
            expression.type());
    }

    private String declare(final Expression expression)
    {
        final boolean isText = expression.type() == CqlType.CHAR;
        final boolean isFlag = expression.type() == CqlType.BOOLEAN;
        final String name = unit.name("m");
        final String type = isText ? "TextResults" : isFlag ? "TextFlags" : "TextValues";
        unit.scratch("final " + type, name, "new " + type + "(codes, memory)");
        final ExpressionCode body = unit.body((leaf, code) ->
            new Operand("text", "(k == 0)", CqlType.CHAR, "k", null), PARAMETERS, ARGUMENTS);
        isWriting = true;
        final Operand value = body.write(expression);
        isWriting = false;
        body.line(isText ? "return " + name + ".put(k, " + (value.isNull().equals("true") ? "0" :
            unit.taken(value)) + ");" : isFlag ?
            "return " + name + ".put(k, " + value.isNull() + ", " + value.value() + ");" :
            name + ".put(k, " + value.isNull() + ", " + bits(value) + ");");
        final String result = isText ? "int " : isFlag ? "byte " : "void ";
        unit.method("private " + result + name + "make(" + PARAMETERS + ')', body);
        return name;
    }

    private static String bits(final Operand value)
    {
        return switch (value.type())
        {
            case FLOAT, DOUBLE -> "Double.doubleToRawLongBits(" + value.value() + ')';
            default -> "(long) (" + value.value() + ')';
        };
    }

    private static String value(final CqlType type, final String bits)
    {
        return switch (type)
        {
            case FLOAT, DOUBLE -> '(' + LocalTypes.local(type) + ") Double.longBitsToDouble(" + bits + ')';
            default -> '(' + LocalTypes.local(type) + ") " + bits;
        };
    }
}
