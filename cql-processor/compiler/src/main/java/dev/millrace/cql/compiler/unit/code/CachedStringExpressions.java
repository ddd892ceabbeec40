package dev.millrace.cql.compiler.unit.code;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.LocalTypes;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.plan.expression.Expression;
import java.util.HashMap;
import java.util.Map;

/**
 * Expressions of one string whose results are cached by the code of the string: each has a method that computes it, and
 * a field with the cache. Equal expressions of different columns share both. When strings do not repeat
 * ({@code StringRepetition}), another method computes the value from the string alone, which gets no code.
 *
 * <p>Not thread-safe; used for one class.
 */
final class CachedStringExpressions
{
    private static final String PARAMETERS = "final int k, final String text";
    private static final String ARGUMENTS = "k, text";
    private static final Expression ANY = new Expression.Column(0, CqlType.CHAR, true);

    private final ClassSource unit;
    private final Map<Expression, String> names = new HashMap<>();
    /** Subexpressions of a cached expression are not cached themselves. */
    private boolean isWriting;

    CachedStringExpressions(final ClassSource unit)
    {
        this.unit = unit;
    }

    /** Writes the use of an expression; {@code null} within another one. */
    Operand write(final Expression expression, final Expression leaf, final Operand text, final ExpressionCode code)
    {
        if (isWriting || !(leaf instanceof Expression.Column))
        {
            return null;
        }
        final String name = names.computeIfAbsent(ExpressionRewriter.over(expression, column -> ANY), this::declare);
        return switch (expression.type())
        {
            case CHAR -> string(name, text, code);
            case BOOLEAN -> flag(name, text, code);
            default -> number(name, expression.type(), text, code);
        };
    }

    /** Opens the branch that uses the cache; returns the name of the code of the string. */
    private static String open(final String name, final Operand text, final ExpressionCode code)
    {
        final String key = code.name("y");
        code.open("if (" + name + ".pays())");
        code.line("final int " + key + " = " + text.code() + ';');
        return key;
    }

    private static String make(final String name, final String key)
    {
        return name + "make(" + key + ", codes.string(" + key + "));";
    }

    /** Computes the value without the cache. */
    private static String direct(final String name, final Operand text)
    {
        return name + "direct(" + (text.canBeNull() ? text.isNull() + " ? null : " : "") + text.value() + ");";
    }

    private Operand string(final String name, final Operand text, final ExpressionCode code)
    {
        final String result = code.name("c");
        final String computed = code.name("s");
        code.line("int " + result + " = -1;");
        code.line("String " + computed + " = null;");
        final String key = open(name, text, code);
        code.line(result + " = " + name + ".of(" + key + ");");
        code.line("if (" + result + " < 0) " + result + " = " + make(name, key));
        code.close();
        code.line("else " + computed + " = " + direct(name, text));
        return unit.either(result, computed);
    }

    private static Operand flag(final String name, final Operand text, final ExpressionCode code)
    {
        final String flag = code.name("f");
        code.line("byte " + flag + ';');
        final String key = open(name, text, code);
        code.line(flag + " = " + name + ".of(" + key + ");");
        code.line("if (" + flag + " == StringConditionCache.UNKNOWN) " + flag + " = " + make(name, key));
        code.close();
        code.line("else " + flag + " = " + direct(name, text));
        return new Operand('(' + flag + " == StringConditionCache.TRUE)", '(' + flag + " == StringConditionCache.NULL)",
            CqlType.BOOLEAN);
    }

    private static Operand number(
        final String name, final CqlType type, final Operand text, final ExpressionCode code)
    {
        final String bits = code.name("b");
        final String isNull = code.name("n");
        code.line("long " + bits + ';');
        code.line("boolean " + isNull + ';');
        final String key = open(name, text, code);
        code.line("if (!" + name + ".has(" + key + ")) " + make(name, key));
        code.line(isNull + " = " + name + ".isNull(" + key + ");");
        code.line(bits + " = " + name + ".value(" + key + ");");
        code.close();
        code.open("else");
        code.line(direct(name, text));
        code.line(isNull + " = " + name + ".wasNull();");
        code.line(bits + " = " + name + ".last();");
        code.close();
        return code.declare(value(type, bits), isNull, type);
    }

    private String declare(final Expression expression)
    {
        final CqlType type = expression.type();
        final String name = unit.name("m");
        final String field = type == CqlType.CHAR ? "StringResultCache" : type == CqlType.BOOLEAN ?
            "StringConditionCache" :
            "StringNumberCache";
        unit.scratch("final " + field, name, "new " + field + "(codes, memory)");
        final ExpressionCode make = body("(k == 0)", "k", PARAMETERS, ARGUMENTS);
        final Operand made = compute(make, expression);
        make.line(switch (type)
        {
            case CHAR -> "return " + name + ".put(k, " + (made.isNull().equals("true") ? "0" : unit.taken(made)) +
                ");";
            case BOOLEAN -> "return " + name + ".put(k, " + made.isNull() + ", " + made.value() + ");";
            default -> name + ".put(k, " + made.isNull() + ", " + bits(made) + ");";
        });
        unit.method("private " + (type == CqlType.CHAR ? "int " : type == CqlType.BOOLEAN ? "byte " : "void ") + name +
            "make(" + PARAMETERS + ')', make);
        final ExpressionCode direct = body("(text == null)", null, "final String text", "text");
        final Operand value = compute(direct, expression);
        direct.line(switch (type)
        {
            case CHAR -> "return " + (value.canBeNull() ? value.isNull() + " ? null : " : "") + value.value() + ';';
            case BOOLEAN -> "return StringConditionCache.flag(" + value.isNull() + ", " + value.value() + ");";
            default -> name + ".computed(" + value.isNull() + ", " + bits(value) + ");";
        });
        unit.method("private " + (type == CqlType.CHAR ? "String " : type == CqlType.BOOLEAN ? "byte " : "void ") +
            name + "direct(final String text)", direct);
        return name;
    }

    private ExpressionCode body(
        final String isNull, final String key, final String parameters, final String arguments)
    {
        return unit.body((leaf, code) -> new Operand("text", isNull, CqlType.CHAR, key, null), parameters, arguments);
    }

    private Operand compute(final ExpressionCode body, final Expression expression)
    {
        isWriting = true;
        final Operand value = body.write(expression);
        isWriting = false;
        return value;
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
