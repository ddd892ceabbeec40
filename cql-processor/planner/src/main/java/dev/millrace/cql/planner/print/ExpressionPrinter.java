package dev.millrace.cql.planner.print;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Field;
import dev.millrace.cql.plan.expression.Operation;
import dev.millrace.cql.plan.expression.PatternExpression;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Formats the expressions of plans, as {@link PlanPrinter} describes. */
final class ExpressionPrinter
{
    private static final Map<Operation, String> SIGNS = Map.ofEntries(Map.entry(Operation.ADD, "+"),
        Map.entry(Operation.SUBTRACT, "-"), Map.entry(Operation.MULTIPLY, "*"), Map.entry(Operation.DIVIDE, "/"),
        Map.entry(Operation.EQUAL, "="), Map.entry(Operation.NOT_EQUAL, "<>"), Map.entry(Operation.LESS, "<"),
        Map.entry(Operation.LESS_OR_EQUAL, "<="), Map.entry(Operation.GREATER, ">"),
        Map.entry(Operation.GREATER_OR_EQUAL, ">="), Map.entry(Operation.AND, "and"), Map.entry(Operation.OR, "or"),
        Map.entry(Operation.XOR, "xor"));

    private ExpressionPrinter()
    {
    }

    static String where(final String word, final Expression condition)
    {
        return condition == null ? "" : word + show(condition);
    }

    static String fields(final List<Field> fields)
    {
        return fields.stream().map(field -> field.name() + '=' + show(field.expression()))
            .collect(Collectors.joining(", ", "[", "]"));
    }

    /** The sign of an operation; {@code null} when it is written in another way. */
    static String sign(final Operation operation)
    {
        return SIGNS.get(operation);
    }

    static String show(final Expression expression)
    {
        return show(expression, Object::toString);
    }

    /** Formats an expression; the function formats the parts that read a match. */
    static String show(final Expression expression, final Function<PatternExpression, String> leaf)
    {
        if (expression instanceof PatternExpression ofMatch)
        {
            return leaf.apply(ofMatch);
        }
        if (expression instanceof Expression.Literal literal)
        {
            return literal.value() == null ? "null" : literal.type() == CqlType.CHAR ? "'" + literal.value() + "'"
                : literal.value() + suffix(literal.type());
        }
        if (expression instanceof Expression.Column column)
        {
            return "$" + column.column();
        }
        if (expression instanceof Expression.RelationColumn column)
        {
            return "relation.$" + column.column();
        }
        if (expression instanceof Expression.PriorColumn column)
        {
            return "$" + column.column() + '@' + column.offset();
        }
        if (expression instanceof Expression.AggregateValue value)
        {
            return "aggregate" + value.aggregate();
        }
        if (expression instanceof Expression.KeyValue value)
        {
            return "key" + value.key();
        }
        if (expression instanceof Expression.FunctionCall function)
        {
            return function.function().name() + function.arguments().stream().map(each -> show(each, leaf))
                .collect(Collectors.joining(", ", "(", ")"));
        }
        if (expression instanceof Expression.Case choice)
        {
            final StringBuilder text = new StringBuilder("case");
            for (int i = 0; i < choice.conditions().size(); i++)
            {
                text.append(" when ").append(show(choice.conditions().get(i), leaf)).append(" then ")
                    .append(show(choice.values().get(i), leaf));
            }
            return text.append(" else ").append(show(choice.otherwise(), leaf)).append(" end").toString();
        }
        return expression instanceof Expression.Call call ? call(call, leaf) : expression.toString();
    }

    private static String suffix(final CqlType type)
    {
        return type == CqlType.BIGINT ? "L" : type == CqlType.FLOAT ? "f" : "";
    }

    private static String call(final Expression.Call call, final Function<PatternExpression, String> leaf)
    {
        final List<String> shown = call.arguments().stream().map(each -> show(each, leaf)).collect(Collectors.toList());
        final String sign = SIGNS.get(call.operation());
        if (sign != null)
        {
            return shown.stream().collect(Collectors.joining(' ' + sign + ' ', "(", ")"));
        }
        return switch (call.operation())
        {
            case NEGATE -> "-" + shown.get(0);
            case NOT -> "not " + shown.get(0);
            case IS_NULL -> shown.get(0) + " is null";
            case IS_NOT_NULL -> shown.get(0) + " is not null";
            case CONVERT -> call.type().cqlName() + '(' + shown.get(0) + ')';
            default -> call.operation() + shown.toString();
        };
    }
}
