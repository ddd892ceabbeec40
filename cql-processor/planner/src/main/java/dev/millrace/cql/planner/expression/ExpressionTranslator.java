package dev.millrace.cql.planner.expression;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.language.types.CqlFunction;
import dev.millrace.cql.language.types.CqlOperator;
import dev.millrace.cql.language.types.CqlTypes;
import dev.millrace.cql.language.types.FunctionLookup;
import dev.millrace.cql.language.types.JavaCall;
import dev.millrace.cql.language.types.JavaMember;
import dev.millrace.cql.language.types.TimestampParser;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.FunctionRef;
import dev.millrace.cql.plan.expression.Operation;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexPatternFieldRef;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * Translates Calcite expressions to plan expressions: operands are converted to one type, literals to the type of the
 * other operand. Nothing is reordered, and no operation is folded.
 */
public final class ExpressionTranslator
{
    /** With more constants than this, IN searches a sorted set that is one constant. */
    private static final int MOST_ALTERNATIVES = 64;

    private static final String XML = "dev.millrace.cql.functions.xml.XmlFunctions";
    private static final String REGEXPS = "dev.millrace.cql.functions.Regexps";
    private static final FunctionRef XML_PARSE = new FunctionRef("xmlparse", XML, "xmlparse", null, false, true);
    private static final Map<CqlOperator, Operation> OPERATIONS = Map.ofEntries(
        Map.entry(CqlOperator.PLUS, Operation.ADD), Map.entry(CqlOperator.MINUS, Operation.SUBTRACT),
        Map.entry(CqlOperator.TIMES, Operation.MULTIPLY), Map.entry(CqlOperator.DIVIDE, Operation.DIVIDE),
        Map.entry(CqlOperator.NEGATE, Operation.NEGATE), Map.entry(CqlOperator.EQUAL, Operation.EQUAL),
        Map.entry(CqlOperator.NOT_EQUAL, Operation.NOT_EQUAL), Map.entry(CqlOperator.LESS, Operation.LESS),
        Map.entry(CqlOperator.LESS_OR_EQUAL, Operation.LESS_OR_EQUAL),
        Map.entry(CqlOperator.GREATER, Operation.GREATER),
        Map.entry(CqlOperator.GREATER_OR_EQUAL, Operation.GREATER_OR_EQUAL), Map.entry(CqlOperator.AND, Operation.AND),
        Map.entry(CqlOperator.OR, Operation.OR), Map.entry(CqlOperator.XOR, Operation.XOR),
        Map.entry(CqlOperator.NOT, Operation.NOT), Map.entry(CqlOperator.IS_NULL, Operation.IS_NULL),
        Map.entry(CqlOperator.IS_NOT_NULL, Operation.IS_NOT_NULL));

    /** Resolves columns to expressions. */
    public interface Columns
    {
        /** A column of the input row. */
        Expression column(int index);

        /**
         * A column of the row of a pattern variable.
         *
         * @param variable name
         * @param index    index from 0
         * @param back     number of rows before that row
         */
        default Expression patternColumn(final String variable, final int index, final int back)
        {
            throw new IllegalStateException("pattern column outside a pattern, variable=" + variable);
        }
    }

    private final Columns columns;

    public ExpressionTranslator(final Columns columns)
    {
        this.columns = columns;
    }

    public Expression translate(final RexNode node)
    {
        return translate(node, 0);
    }

    private Expression translate(final RexNode node, final int back)
    {
        if (node instanceof RexPatternFieldRef field)
        {
            return columns.patternColumn(field.getAlpha(), field.getIndex(), back);
        }
        if (node instanceof RexInputRef input)
        {
            return columns.column(input.getIndex());
        }
        if (node instanceof RexLiteral literal)
        {
            return literal(literal, CqlTypes.toCql(literal.getType()));
        }
        if (node instanceof RexCall call)
        {
            return call(call, back);
        }
        throw new IllegalStateException("unsupported expression, kind=" + node.getKind());
    }

    private Expression call(final RexCall call, final int back)
    {
        final List<RexNode> operands = call.getOperands();
        if (call.getOperator() instanceof CqlOperator operator)
        {
            return switch (operator.family())
            {
                case ARITHMETIC -> arithmetic(operator, operands, back);
                case COMPARISON -> comparison(OPERATIONS.get(operator), operands.get(0), operands.get(1), back);
                case MEMBERSHIP -> membership(operator, operands, back);
                case NULL_TEST -> nullTest(operator, translate(operands.get(0), back));
                case LOGIC -> logic(operator, operands, back);
                case TEXT -> call(Operation.CONCAT, CqlType.CHAR,
                    operands.stream().map(operand -> text(operand, back)).toArray(Expression[]::new));
                case MATCHING -> call(Operation.LIKE, CqlType.BOOLEAN, text(operands.get(0), back),
                    translate(operands.get(1), back));
                case CHOICE -> choice(call, back);
                case NAVIGATION -> translate(operands.get(0), back + rows(operands.get(1)));
            };
        }
        if (call.getOperator() instanceof CqlFunction function)
        {
            return function(function, call, back);
        }
        if (call.getOperator() instanceof JavaCall java)
        {
            return java(java, operands, back);
        }
        switch (call.getKind())
        {
            case PREV:
                return translate(operands.get(0), back + rows(operands.get(1)));
            case LAST, FINAL, RUNNING:
                return translate(operands.get(0), back);
            case CAST:
                final Expression inner = translate(operands.get(0), back);
                if (inner.type() == CqlTypes.toCql(call.getType()))
                {
                    return inner;
                }
                throw new IllegalStateException("conversion from " + inner.type() + " to " + call.getType());
            case IS_TRUE:
                return new Expression.Case(List.of(translate(operands.get(0), back)),
                    List.of(new Expression.Literal(true, CqlType.BOOLEAN)),
                    new Expression.Literal(false, CqlType.BOOLEAN), CqlType.BOOLEAN);
            case AND:
                return logic(CqlOperator.AND, operands, back);
            default:
                throw new IllegalStateException("unsupported operator, operator=" + call.getOperator());
        }
    }

    /** A value as a string; an untyped null becomes a null string. */
    private Expression text(final RexNode node, final int back)
    {
        return isNull(node) ? new Expression.Literal(null, CqlType.CHAR) : convert(translate(node, back), CqlType.CHAR);
    }

    private Expression choice(final RexCall call, final int back)
    {
        final CqlType type = CqlTypes.toCql(call.getType());
        final List<RexNode> operands = call.getOperands();
        final List<Expression> conditions = new ArrayList<>();
        final List<Expression> values = new ArrayList<>();
        for (int i = 0; i + 1 < operands.size(); i += 2)
        {
            conditions.add(isNull(operands.get(i)) ? new Expression.Literal(null, CqlType.BOOLEAN) :
                translate(operands.get(i), back));
            values.add(typed(operands.get(i + 1), type, back));
        }
        return new Expression.Case(conditions, values, typed(operands.get(operands.size() - 1), type, back), type);
    }

    private Expression typed(final RexNode node, final CqlType type, final int back)
    {
        return isNull(node) ? new Expression.Literal(null, type) : converted(node, type, back);
    }

    private Expression function(final CqlFunction function, final RexCall call, final int back)
    {
        final FunctionLookup.Signature signature =
            function.signature(call.getOperands().stream().map(RexNode::getType).toList());
        if (!(signature.target() instanceof FunctionRef target))
        {
            throw new IllegalStateException("function without implementation, function=" + function.getName());
        }
        final List<Expression> arguments = new ArrayList<>();
        for (int i = 0; i < call.getOperands().size(); i++)
        {
            final RexNode operand = call.getOperands().get(i);
            final CqlType wanted = signature.argument(i);
            arguments.add(wanted == CqlType.OBJECT && XML.equals(target.className()) && !isNull(operand) ?
                convert(XmlTables.value(translate(operand, back)), wanted) : typed(operand, wanted, back));
        }
        if (REGEXPS.equals(target.className()) && arguments.get(1) instanceof Expression.Literal literal &&
            literal.value() instanceof String pattern)
        {
            arguments.set(1, new Expression.Literal(Pattern.compile(pattern), CqlType.OBJECT));
        }
        return new Expression.FunctionCall(target, arguments, signature.result());
    }

    /** Operands keep their types, so that Java receives the types for which the overload was resolved. */
    private Expression java(final JavaCall java, final List<RexNode> operands, final int back)
    {
        final JavaMember member = java.resolve(operands.stream().map(RexNode::getType).toList());
        final List<Expression> arguments = new ArrayList<>();
        for (int i = 0; i < operands.size(); i++)
        {
            final CqlType wanted = CqlTypes.ofJava(member.parameters().get(i));
            arguments.add(isNull(operands.get(i)) ? new Expression.Literal(null, wanted) :
                CqlTypes.isDecimalLiteral(operands.get(i).getType()) && wanted == CqlType.FLOAT ?
                converted(operands.get(i), wanted, back) : translate(operands.get(i), back));
        }
        return new Expression.FunctionCall(JavaMethodHandles.target(member), arguments, member.resultType());
    }

    private static int rows(final RexNode literal)
    {
        return ((RexLiteral) literal).getValueAs(Integer.class);
    }

    private static boolean isNull(final RexNode node)
    {
        return node.getType().getSqlTypeName() == SqlTypeName.NULL ||
            node instanceof RexLiteral literal && literal.isNull();
    }

    private Expression arithmetic(final CqlOperator operator, final List<RexNode> operands, final int back)
    {
        final RexNode left = operands.get(0);
        if (operands.size() == 1)
        {
            return isNull(left) ? new Expression.Literal(null, CqlType.INT) : negate(translate(left, back));
        }
        if (operands.size() > 2)
        {
            return chain(operator, operands, back);
        }
        final RexNode right = operands.get(1);
        final CqlType time = CqlOperator.timeType(
            operator, CqlTypes.toCql(left.getType()), CqlTypes.toCql(right.getType()));
        if (time != null)
        {
            return isNull(left) || isNull(right) ? new Expression.Literal(null, time) :
                strict(OPERATIONS.get(operator), time, translate(left, back), translate(right, back));
        }
        final CqlType found = CqlTypes.common(left.getType(), right.getType());
        final CqlType common = found == null ? CqlType.INT : found;
        if (isNull(left) || isNull(right))
        {
            return new Expression.Literal(null, common);
        }
        return strict(OPERATIONS.get(operator), common, converted(left, common, back), converted(right, common, back));
    }

    /**
     * A long chain of one operator, left to right. Terms computed in one type are arguments of one call; when a term
     * has a wider type, that call becomes the first argument of the next.
     */
    private Expression chain(final CqlOperator operator, final List<RexNode> operands, final int back)
    {
        final Operation operation = OPERATIONS.get(operator);
        final Expression first = arithmetic(operator, operands.subList(0, 2), back);
        List<Expression> terms = new ArrayList<>(first instanceof Expression.Call call ? call.arguments() :
            List.of(first));
        RelDataType met = CqlOperator.arithmeticType(operator, operands.get(0).getType(), operands.get(1).getType());
        CqlType type = first.type();
        for (final RexNode operand : operands.subList(2, operands.size()))
        {
            final boolean isTime = CqlOperator.timeType(
                operator, CqlTypes.toCql(met), CqlTypes.toCql(operand.getType())) != null;
            met = CqlOperator.arithmeticType(operator, met, operand.getType());
            final CqlType wanted = CqlTypes.toCql(met);
            if (wanted != type)
            {
                final Expression narrower = strict(operation, type, terms.toArray(new Expression[0]));
                terms = new ArrayList<>(List.of(isTime ? narrower : convert(narrower, wanted)));
                type = wanted;
            }
            terms.add(isNull(operand) ? new Expression.Literal(null, wanted) :
                isTime ? translate(operand, back) : converted(operand, wanted, back));
        }
        return strict(operation, type, terms.toArray(new Expression[0]));
    }

    /** A call that is null if an operand is null; for an untyped null operand it is a null of the given type. */
    private static Expression strict(final Operation operation, final CqlType type, final Expression... operands)
    {
        for (final Expression operand : operands)
        {
            if (operand instanceof Expression.Literal literal && literal.value() == null)
            {
                return new Expression.Literal(null, type);
            }
        }
        return call(operation, type, operands);
    }

    private static Expression negate(final Expression operand)
    {
        if (operand instanceof Expression.Call call && call.operation() == Operation.NEGATE)
        {
            return call.arguments().get(0);
        }
        if (operand instanceof Expression.Literal literal && literal.value() instanceof Double number)
        {
            return new Expression.Literal(-number, literal.type());
        }
        if (operand instanceof Expression.Literal literal && literal.value() instanceof Float number)
        {
            return new Expression.Literal(-number, literal.type());
        }
        return strict(Operation.NEGATE, operand.type(), operand);
    }

    private Expression comparison(final Operation operation, final RexNode left, final RexNode right, final int back)
    {
        if (isNull(left) || isNull(right))
        {
            return new Expression.Literal(null, CqlType.BOOLEAN);
        }
        final CqlType common = CqlTypes.comparable(left.getType(), right.getType());
        if (common == null)
        {
            throw new IllegalStateException("comparison of " + left.getType() + " with " + right.getType());
        }
        return strict(operation, CqlType.BOOLEAN, converted(left, common, back), converted(right, common, back));
    }

    private Expression membership(final CqlOperator operator, final List<RexNode> operands, final int back)
    {
        final RexNode value = operands.get(0);
        if (operator == CqlOperator.BETWEEN)
        {
            return call(Operation.AND, CqlType.BOOLEAN,
                comparison(Operation.GREATER_OR_EQUAL, value, operands.get(1), back),
                comparison(Operation.LESS_OR_EQUAL, value, operands.get(2), back));
        }
        final Expression[] equal = new Expression[operands.size() - 1];
        for (int i = 1; i < operands.size(); i++)
        {
            equal[i - 1] = comparison(Operation.EQUAL, value, operands.get(i), back);
        }
        final Expression searched = equal.length > MOST_ALTERNATIVES ? searched(equal) : null;
        if (searched != null)
        {
            return searched;
        }
        return equal.length == 1 ? equal[0] : call(Operation.OR, CqlType.BOOLEAN, equal);
    }

    /**
     * Combines equalities of one value with constants into one operation; {@code null} if any of the conditions is
     * something else.
     */
    private static Expression searched(final Expression... equalities)
    {
        final List<Expression> candidates = new ArrayList<>();
        for (final Expression each : equalities)
        {
            if (!(each instanceof Expression.Call test) ||
                !(test.arguments().get(1) instanceof Expression.Literal literal) || literal.value() == null ||
                !candidates.isEmpty() && !test.arguments().get(0).equals(candidates.get(0)))
            {
                return null;
            }
            if (candidates.isEmpty())
            {
                candidates.add(test.arguments().get(0));
            }
            candidates.add(literal);
        }
        return call(Operation.IN, CqlType.BOOLEAN, candidates.toArray(new Expression[0]));
    }

    private static Expression nullTest(final CqlOperator operator, final Expression operand)
    {
        if (operand instanceof Expression.Literal literal)
        {
            return new Expression.Literal((literal.value() == null) == (operator == CqlOperator.IS_NULL),
                CqlType.BOOLEAN);
        }
        return new Expression.Call(OPERATIONS.get(operator), List.of(operand), CqlType.BOOLEAN, false);
    }

    private Expression logic(final CqlOperator operator, final List<RexNode> operands, final int back)
    {
        final List<Expression> conditions = new ArrayList<>();
        for (final RexNode operand : operands)
        {
            conditions.add(isNull(operand) ? new Expression.Literal(null, CqlType.BOOLEAN) : translate(operand, back));
        }
        return call(OPERATIONS.get(operator), CqlType.BOOLEAN, conditions.toArray(new Expression[0]));
    }

    private Expression converted(final RexNode node, final CqlType target, final int back)
    {
        if (node instanceof RexLiteral literal && CqlTypes.isDecimalLiteral(literal.getType()) && target.isNumeric())
        {
            return literal(literal, target);
        }
        if (node instanceof RexCall call && call.getOperator() == CqlOperator.NEGATE &&
            CqlTypes.isDecimalLiteral(call.getType()) && target.isNumeric())
        {
            return negate(converted(call.getOperands().get(0), target, back));
        }
        return convert(translate(node, back), target);
    }

    /** Converts a value to another number type; a literal is converted immediately, as Java converts at run time. */
    public static Expression convert(final Expression value, final CqlType target)
    {
        if (value.type() == target)
        {
            return value;
        }
        if (value instanceof Expression.Literal literal && literal.value() == null)
        {
            return new Expression.Literal(null, target);
        }
        if (value instanceof Expression.Literal literal && literal.value() instanceof Number number &&
            target.isNumeric())
        {
            return new Expression.Literal(narrowOrWiden(number, target), target);
        }
        if (value instanceof Expression.Literal literal && literal.value() instanceof String text &&
            target == CqlType.TIMESTAMP && TimestampParser.timestamp(text) != null)
        {
            return new Expression.Literal(TimestampParser.timestamp(text), target);
        }
        if (value.type() == CqlType.CHAR && target == CqlType.XMLTYPE)
        {
            return new Expression.FunctionCall(XML_PARSE, List.of(
                new Expression.Literal("content", CqlType.CHAR), value,
                new Expression.Literal(false, CqlType.BOOLEAN)), CqlType.XMLTYPE);
        }
        return call(Operation.CONVERT, target, value);
    }

    private static Object narrowOrWiden(final Number number, final CqlType target)
    {
        return switch (target)
        {
            case INT -> number.intValue();
            case BIGINT -> number.longValue();
            case FLOAT -> number.floatValue();
            case DOUBLE -> number.doubleValue();
            case BIGDECIMAL -> new BigDecimal(number.toString());
            default -> throw new IllegalStateException("conversion of " + number + " to " + target);
        };
    }

    private static Expression literal(final RexLiteral literal, final CqlType type)
    {
        if (type == null || literal.isNull())
        {
            return new Expression.Literal(null, type == null ? CqlType.OBJECT : type);
        }
        return switch (type)
        {
            case CHAR -> new Expression.Literal(literal.getValueAs(String.class), type);
            case BOOLEAN -> new Expression.Literal(literal.getValueAs(Boolean.class), type);
            case INT -> new Expression.Literal(literal.getValueAs(BigDecimal.class).intValueExact(), type);
            case BIGINT -> new Expression.Literal(literal.getValueAs(BigDecimal.class).longValueExact(), type);
            case FLOAT -> new Expression.Literal(
                Float.valueOf(literal.getValueAs(BigDecimal.class).toString()), type);
            case DOUBLE -> new Expression.Literal(
                Double.valueOf(literal.getValueAs(BigDecimal.class).toString()), type);
            case BIGDECIMAL -> new Expression.Literal(literal.getValueAs(BigDecimal.class), type);
            case TIMESTAMP, INTERVAL ->
                new Expression.Literal(literal.getValueAs(BigDecimal.class).longValueExact(), type);
            case BYTE -> new Expression.Literal(
                literal.getValueAs(org.apache.calcite.avatica.util.ByteString.class).getBytes(), type);
            default -> throw new IllegalStateException("literal of type " + type);
        };
    }

    /** Returns the conjunction of conditions; {@code null} for an empty list. */
    public static Expression all(final List<Expression> conditions)
    {
        return conditions.isEmpty() ? null : conditions.size() == 1 ? conditions.get(0) :
            call(Operation.AND, CqlType.BOOLEAN, conditions.toArray(new Expression[0]));
    }

    public static Expression call(final Operation operation, final CqlType type, final Expression... arguments)
    {
        boolean nullable = false;
        for (final Expression argument : arguments)
        {
            nullable |= argument.nullable();
        }
        return new Expression.Call(operation, List.of(arguments), type, nullable);
    }

    /** Whether a call is an equality of two expressions. */
    public static boolean isEquality(final RexNode node)
    {
        return node instanceof RexCall call && call.getOperator() == CqlOperator.EQUAL;
    }

    /** Splits a condition at its outermost ANDs. */
    public static void conjuncts(final RexNode condition, final List<RexNode> found)
    {
        if (condition.getKind() == SqlKind.AND)
        {
            ((RexCall) condition).getOperands().forEach(operand -> conjuncts(operand, found));
        }
        else
        {
            found.add(condition);
        }
    }
}
