package dev.millrace.cql.compiler.emit;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Operation;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Translates the expressions of one row to straight-line Java statements: a primitive local for each value, a boolean
 * for "is null" and one for "cannot be computed", each written only on demand. Equal expressions are computed once
 * (value numbering over everything that one operator computes for a row).
 *
 * <p>The code is branch-free: all operands are always evaluated. A value whose null flag is set is arbitrary, except
 * that a boolean is never true when it is null, so a condition holds exactly when its value is true. Division of an
 * integer by zero sets the error flag; AND and OR propagate an error of a later operand only when the earlier ones have
 * not decided.
 */
public final class ExpressionEmitter
{
    private final ClassContext context;
    private final PlanNode node;
    private final MethodScope scope;
    private final LeafResolver leaves;
    private JavaText out;
    private Map<Expression, String> values = new HashMap<>();
    private Map<Expression, String> nulls = new HashMap<>();
    /** For expressions that were not computed themselves: code of a necessary condition. */
    private Map<Expression, String> necessary = new HashMap<>();
    private Map<Expression, String> errors = new HashMap<>();

    public ExpressionEmitter(
        final ClassContext context, final PlanNode node, final MethodScope scope, final LeafResolver leaves,
        final JavaText out)
    {
        this.context = context;
        this.node = node;
        this.scope = scope;
        this.leaves = leaves;
        this.out = out;
    }

    /** Runs a writer of an inner block; values computed in it are not available afterwards. */
    public void within(final Runnable block)
    {
        final Map<Expression, String> outerValues = values;
        final Map<Expression, String> outerNulls = nulls;
        final Map<Expression, String> outerErrors = errors;
        final Map<Expression, String> outerNecessary = necessary;
        values = new HashMap<>(values);
        nulls = new HashMap<>(nulls);
        errors = new HashMap<>(errors);
        necessary = new HashMap<>(necessary);
        block.run();
        values = outerValues;
        nulls = outerNulls;
        errors = outerErrors;
        necessary = outerNecessary;
    }

    /** Code, already computed, that is true wherever a condition is; {@code null} if none exists. */
    public String necessary(final Expression condition)
    {
        return isKnown(condition) ? value(condition) : necessary.get(condition);
    }

    /** Whether a value has been computed already. */
    public boolean isKnown(final Expression expression)
    {
        return expression instanceof Expression.Literal || values.containsKey(expression);
    }

    /** Code of the value, without side effects. */
    public String value(final Expression expression)
    {
        if (expression instanceof Expression.Literal literal)
        {
            return literal(literal);
        }
        final String known = values.get(expression);
        if (known != null)
        {
            return known;
        }
        final String code = expression instanceof Expression.Call call ? call(call) : leaf(expression);
        if (code.matches("[\\w.()-]+") && !code.contains("("))
        {
            values.put(expression, code);
            return code;
        }
        final String name = local(JavaTypes.local(expression.type()), "v", code);
        values.put(expression, name);
        return name;
    }

    private String leaf(final Expression leaf)
    {
        final String value = leaves.value(leaf);
        if (leaf.type() == CqlType.BOOLEAN)
        {
            final String isNull = nullFlag(leaf);
            return isNull == null ? value : "(" + value + ") & !" + isNull;
        }
        return value;
    }

    /** Code for "is null", or {@code null} when it never is. */
    public String nullFlag(final Expression expression)
    {
        if (expression instanceof Expression.Literal literal)
        {
            return isNull(literal) ? "true" : null;
        }
        if (nulls.containsKey(expression))
        {
            return nulls.get(expression);
        }
        String code = expression instanceof Expression.Call call ? nullOf(call) : leafNull(expression);
        if (code != null && !code.matches("\\w+"))
        {
            code = local("boolean", "n", code);
        }
        nulls.put(expression, code);
        return code;
    }

    private String leafNull(final Expression leaf)
    {
        final boolean nullable = !(leaf instanceof Expression.Column column && !column.nullable() ||
            leaf instanceof Expression.RelationColumn relation && !relation.nullable());
        return nullable ? leaves.nullFlag(leaf) : null;
    }

    /** Code for "cannot be computed", or {@code null} when it always can. */
    public String error(final Expression expression)
    {
        if (!(expression instanceof Expression.Call call))
        {
            return null;
        }
        if (errors.containsKey(expression))
        {
            return errors.get(expression);
        }
        String code = errorOf(call);
        if (code != null && !code.matches("\\w+"))
        {
            code = local("boolean", "e", code);
        }
        errors.put(expression, code);
        return code;
    }

    public String local(final String type, final String prefix, final String code)
    {
        final String name = scope.fresh(prefix);
        out.line("final " + type + ' ' + name + " = " + code + ';');
        return name;
    }

    public static boolean isNull(final Expression.Literal literal)
    {
        return literal.value() == null || literal.value().equals("");
    }

    private String literal(final Expression.Literal literal)
    {
        if (isNull(literal))
        {
            return JavaTypes.zero(literal.type());
        }
        return switch (literal.type())
        {
            case BOOLEAN -> literal.value().toString();
            case BIGDECIMAL -> context.decimal((BigDecimal)literal.value());
            case CHAR -> context.literal((String)literal.value());
            case BYTE, XMLTYPE, OBJECT -> context.object(literal.value());
            default -> context.number((Number)literal.value(), literal.type());
        };
    }

    private String call(final Expression.Call call)
    {
        final List<Expression> arguments = call.arguments();
        return switch (call.operation())
        {
            case ADD -> arithmetic(call, "+", "add");
            case SUBTRACT -> arithmetic(call, "-", "subtract");
            case MULTIPLY -> arithmetic(call, "*", "multiply");
            case DIVIDE -> divide(call);
            case NEGATE -> call.type() == CqlType.BIGDECIMAL ?
                "Decimals.negate(" + value(arguments.get(0)) + ")" : "-(" + number(arguments.get(0)) + ")";
            case EQUAL -> compare(call, "==");
            case NOT_EQUAL -> compare(call, "!=");
            case LESS -> compare(call, "<");
            case LESS_OR_EQUAL -> compare(call, "<=");
            case GREATER -> compare(call, ">");
            case GREATER_OR_EQUAL -> compare(call, ">=");
            case AND -> joined(arguments, " & ");
            case OR -> either(call);
            case XOR -> withoutNulls(call, value(arguments.get(0)) + " ^ " + value(arguments.get(1)));
            case NOT -> withoutNulls(call, "!" + value(arguments.get(0)));
            case IS_NULL -> nullFlag(arguments.get(0)) == null ? "false" : nullFlag(arguments.get(0));
            case IS_NOT_NULL -> nullFlag(arguments.get(0)) == null ? "true" : "!" + nullFlag(arguments.get(0));
            case CONVERT -> convert(call);
            case CONCAT, LIKE, IN -> throw ClassContext.unsupported(node, "the operator " + call.operation(),
                "let the planner plan a flow of the statement");
        };
    }

    /** Code of an OR; two conditions that compare a number with {@code c} and {@code -c} become one comparison. */
    private String either(final Expression.Call call)
    {
        final Expression far = scope.isBatch() ? FloatingComparison.farFromZero(call) : null;
        if (far == null)
        {
            return joined(call.arguments(), " | ");
        }
        final Expression.Call first = (Expression.Call)call.arguments().get(0);
        final String outside = local("boolean", "v",
            withoutNulls(first, FloatingComparison.outside(first, "Math.abs(" + value(far) + ')', context::bits)));
        call.arguments().forEach(side -> necessary.put(side, outside));
        return outside;
    }

    private String joined(final List<Expression> arguments, final String operator)
    {
        return String.join(operator, arguments.stream().map(this::value).toList());
    }

    private String withoutNulls(final Expression.Call call, final String code)
    {
        final String isNull = nullFlag(call);
        return isNull == null ? code : "(" + code + ") & !" + isNull;
    }

    private String number(final Expression expression)
    {
        if (!expression.type().isNumeric() && expression.type() != CqlType.TIMESTAMP &&
            expression.type() != CqlType.INTERVAL)
        {
            throw ClassContext.unsupported(node, "arithmetic on " + expression.type().cqlName(),
                ClassContext.supportedTypes(expression.type()));
        }
        return value(expression);
    }

    private String arithmetic(final Expression.Call call, final String operator, final String decimalMethod)
    {
        final String left = number(call.arguments().get(0));
        final String right = number(call.arguments().get(1));
        return call.type() == CqlType.BIGDECIMAL ?
            "Decimals." + decimalMethod + '(' + left + ", " + right + ')' : left + ' ' + operator + ' ' + right;
    }

    private String divide(final Expression.Call call)
    {
        final String left = number(call.arguments().get(0));
        // The JVM multiplies instead of dividing by a number that the text contains.
        final String right = isSafeDivisor(call) && call.type() != CqlType.BIGDECIMAL &&
            call.arguments().get(1) instanceof Expression.Literal literal && !isNull(literal) ?
            JavaTypes.number((Number)literal.value(), literal.type()) : number(call.arguments().get(1));
        if (call.type() == CqlType.BIGDECIMAL)
        {
            return "Decimals.divide(" + left + ", " + right + ')';
        }
        if (call.type() == CqlType.FLOAT || call.type() == CqlType.DOUBLE || isSafeDivisor(call))
        {
            return left + " / " + right;
        }
        final String one = call.type() == CqlType.INT ? "1" : "1L";
        return left + " / (" + right + " == 0 ? " + one + " : " + right + ")";
    }

    private static boolean isSafeDivisor(final Expression.Call call)
    {
        return call.type() == CqlType.FLOAT || call.type() == CqlType.DOUBLE ||
            call.arguments().get(1) instanceof Expression.Literal literal &&
            literal.value() instanceof Number divisor && new BigDecimal(divisor.toString()).signum() != 0;
    }

    private String compare(final Expression.Call call, final String operator)
    {
        final Expression left = call.arguments().get(0);
        final Expression right = call.arguments().get(1);
        return withoutNulls(call, switch (left.type())
        {
            case CHAR -> compareChars(left, right, operator);
            case BIGDECIMAL -> "Decimals.compare(" + value(left) + ", " + value(right) + ") " + operator + " 0";
            case BOOLEAN ->
            {
                if (call.operation() != Operation.EQUAL && call.operation() != Operation.NOT_EQUAL)
                {
                    throw ClassContext.unsupported(node, "order of booleans", "compare with = or !=");
                }
                yield value(left) + ' ' + operator + ' ' + value(right);
            }
            case BYTE, XMLTYPE, OBJECT -> throw ClassContext.unsupported(node,
                "comparison of " + left.type().cqlName(), ClassContext.supportedTypes(left.type()));
            case FLOAT, DOUBLE -> compareFloating(call, operator);
            default -> value(left) + ' ' + operator + ' ' + value(right);
        });
    }

    private String compareFloating(final Expression.Call call, final String operator)
    {
        final String left = value(call.arguments().get(0));
        final String right = value(call.arguments().get(1));
        final String method = scope.isBatch() ? FloatingComparison.code(call, left, right, context::bits) : null;
        return method == null ? left + ' ' + operator + ' ' + right : method;
    }

    private String compareChars(final Expression left, final Expression right, final String operator)
    {
        final boolean isEquality = operator.equals("==") || operator.equals("!=");
        final String leftCode = isEquality && isLiteral(right) ? known(left) : value(left);
        final String rightCode = isEquality && isLiteral(left) ? known(right) : value(right);
        return isEquality ? leftCode + ' ' + operator + ' ' + rightCode :
            context.strings() + ".compare(" + leftCode + ", " + rightCode + ") " + operator + " 0";
    }

    private static boolean isLiteral(final Expression expression)
    {
        return expression instanceof Expression.Literal;
    }

    /** A value for a look-up among literals or in a relation, see {@link ColumnRef#known}. */
    public String known(final Expression expression)
    {
        return expression.type() != CqlType.CHAR || isLiteral(expression) || isKnown(expression) ? value(expression) :
            leaves.known(expression);
    }

    /** The string table of char values. */
    public String strings()
    {
        return context.strings();
    }

    /** Code of the object that stores the strings of a char leaf by value; {@code null} when there are only codes. */
    public String texts(final Expression expression)
    {
        return expression.type() != CqlType.CHAR || isLiteral(expression) ? null : leaves.texts(expression);
    }

    private String convert(final Expression.Call call)
    {
        final Expression argument = call.arguments().get(0);
        final CqlType to = call.type();
        if (argument instanceof Expression.Literal literal)
        {
            return isNull(literal) ? JavaTypes.zero(to) :
                literal(new Expression.Literal(JavaTypes.convert((Number)literal.value(), to), to));
        }
        final String code = number(argument);
        if (argument.type() == to || JavaTypes.local(argument.type()).equals(JavaTypes.local(to)))
        {
            return code;
        }
        if (to == CqlType.BIGDECIMAL)
        {
            if (argument.type() == CqlType.FLOAT || argument.type() == CqlType.DOUBLE)
            {
                throw ClassContext.unsupported(node, "conversion of " + argument.type().cqlName() + " to bigdecimal",
                    "convert the bigdecimal to double instead");
            }
            final String isNull = nullFlag(argument);
            final String decimal = JavaTypes.DECIMAL + ".valueOf(" + code + ")";
            return isNull == null ? decimal : isNull + " ? null : " + decimal;
        }
        if (argument.type() == CqlType.BIGDECIMAL)
        {
            return code + " == null ? " + JavaTypes.zero(to) + " : " + code + '.' + JavaTypes.local(to) + "Value()";
        }
        return "(" + JavaTypes.local(to) + ") " + code;
    }

    private String nullOf(final Expression.Call call)
    {
        final List<Expression> arguments = call.arguments();
        switch (call.operation())
        {
            case IS_NULL:
            case IS_NOT_NULL:
                return null;
            case AND:
                return nullOfLogic(arguments, true);
            case OR:
                return nullOfLogic(arguments, false);
            default:
                String any = null;
                for (final Expression argument : arguments)
                {
                    any = or(any, nullFlag(argument));
                }
                return any;
        }
    }

    /** Null when some operand is null and no other decides: for AND one that is false, for OR one that is true. */
    private String nullOfLogic(final List<Expression> arguments, final boolean and)
    {
        String any = null;
        String undecided = null;
        for (final Expression argument : arguments)
        {
            final String value = value(argument);
            final String isNull = nullFlag(argument);
            any = or(any, isNull);
            final String open = !and ? "!" + value : isNull == null ? value : "(" + value + " | " + isNull + ")";
            undecided = undecided == null ? open : undecided + " & " + open;
        }
        return any == null ? null : "(" + any + ") & " + undecided;
    }

    private static String or(final String left, final String right)
    {
        if (left == null || right == null)
        {
            return left == null ? right : left;
        }
        return left + " | " + right;
    }

    private String errorOf(final Expression.Call call)
    {
        final List<Expression> arguments = call.arguments();
        if (call.operation() == Operation.AND || call.operation() == Operation.OR)
        {
            return errorOfLogic(arguments, call.operation() == Operation.AND);
        }
        String any = null;
        for (final Expression argument : arguments)
        {
            any = or(any, error(argument));
        }
        if (call.operation() == Operation.DIVIDE && !isSafeDivisor(call))
        {
            final Expression divisor = arguments.get(1);
            String zero = call.type() == CqlType.BIGDECIMAL ?
                "Decimals.isZero(" + value(divisor) + ")" : "(" + value(divisor) + " == 0)";
            final String isNull = or(nullFlag(arguments.get(0)), nullFlag(divisor));
            zero = isNull == null ? zero : zero + " & !(" + isNull + ")";
            any = or(any, zero);
        }
        return any;
    }

    private String errorOfLogic(final List<Expression> arguments, final boolean and)
    {
        if (arguments.stream().allMatch(each -> error(each) == null))
        {
            return null;
        }
        String any = null;
        String open = null;
        for (final Expression argument : arguments)
        {
            final String error = error(argument);
            if (error != null)
            {
                any = or(any, open == null ? error : "(" + error + " & " + open + ")");
            }
            final String value = value(argument);
            final String isNull = nullFlag(argument);
            final String undecided = !and ? "!" + value : isNull == null ? value : "(" + value + " | " + isNull + ")";
            open = open == null ? undecided : open + " & " + undecided;
        }
        return any;
    }
}
