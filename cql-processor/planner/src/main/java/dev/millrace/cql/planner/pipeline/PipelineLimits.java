package dev.millrace.cql.planner.pipeline;

import dev.millrace.api.event.ColumnStorage;
import dev.millrace.api.event.CqlType;
import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.Message;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Field;
import dev.millrace.cql.plan.expression.Operation;
import java.util.List;

/** The limits of one generated class: a rule that exceeds them becomes a flow. */
final class PipelineLimits
{
    private static final int MAX_AGGREGATES = 30;
    private static final int MAX_PATTERN_ROWS = 63;
    private static final int MAX_ROWS_BACK = 127;
    private static final int MAX_OPERATIONS = 500;

    private PipelineLimits()
    {
    }

    /**
     * Checks an operator and its consumers.
     *
     * @throws CqlRuleException NOT_AVAILABLE if it cannot be compiled
     */
    static void check(final Operator operator)
    {
        if (operator instanceof Operator.Calc calc)
        {
            expressions(calc.condition(), calc.fields());
        }
        else if (operator instanceof Operator.LookupJoin join)
        {
            expressions(join.key(), List.of());
            expressions(join.condition(), join.fields());
        }
        else if (operator instanceof Operator.FixedPattern pattern)
        {
            refuse(pattern.conditions().size() > MAX_PATTERN_ROWS, "a pattern of this many rows");
            pattern.conditions().forEach(condition -> expressions(condition, List.of()));
            expressions(null, pattern.measures());
        }
        else if (operator instanceof Operator.SequencePattern pattern)
        {
            expressions(pattern.start(), List.of());
            expressions(pattern.value(), List.of());
            expressions(pattern.bound(), List.of());
            expressions(pattern.condition(), pattern.fields());
        }
        else if (operator instanceof Operator.GroupedAggregate grouped)
        {
            grouped.keys().forEach(key -> key(key.type()));
            grouped.keys().forEach(key -> expressions(key, List.of()));
            refuse(grouped.aggregates().size() > MAX_AGGREGATES, "this many aggregates");
            grouped.aggregates().forEach(PipelineLimits::aggregate);
            expressions(grouped.having(), grouped.fields());
        }
        else if (operator instanceof Operator.WindowAggregate window)
        {
            window.keys().forEach(key -> expressions(key, List.of()));
            window.aggregates().forEach(PipelineLimits::aggregate);
            expressions(window.having(), window.fields());
        }
        operator.consumers().forEach(PipelineLimits::check);
    }

    /**
     * Checks the type of a key of a group or a partition.
     *
     * @throws CqlRuleException NOT_AVAILABLE if keys of this type cannot be compared
     */
    static void key(final CqlType type)
    {
        refuse(type.storage() == ColumnStorage.REFERENCE, "a key of type " + type.cqlName());
    }

    private static void aggregate(final Operator.Aggregate aggregate)
    {
        expressions(aggregate.argument(), List.of());
        refuse(aggregate.function() != Operator.AggregateFunction.COUNT &&
            aggregate.argument().type().storage() == ColumnStorage.REFERENCE,
            aggregate.function() + " of " + aggregate.type().cqlName());
    }

    private static void expressions(final Expression condition, final List<Field> fields)
    {
        if (condition != null)
        {
            refuse(operations(condition) > MAX_OPERATIONS, "a condition of this length");
        }
        fields.forEach(field -> refuse(operations(field.expression()) > MAX_OPERATIONS,
            "an expression of this length"));
    }

    /** The number of operations in an expression; refuses expressions that cannot be compiled. */
    private static int operations(final Expression expression)
    {
        if (expression instanceof Expression.PriorColumn prior)
        {
            refuse(prior.offset() > MAX_ROWS_BACK, "a row this far back");
        }
        if (!(expression instanceof Expression.Call call))
        {
            return 1;
        }
        final Expression first = call.arguments().get(0);
        refuse(call.operation() == Operation.CONVERT && call.type() == CqlType.BIGDECIMAL &&
            (first.type() == CqlType.FLOAT || first.type() == CqlType.DOUBLE), "conversion to bigdecimal");
        refuse(call.operation() == Operation.CONVERT && !(call.type().isNumeric() && first.type().isNumeric()),
            "conversion of " + first.type().cqlName() + " to " + call.type().cqlName());
        refuse(first.type() == CqlType.BYTE && call.operation() != Operation.IS_NULL &&
            call.operation() != Operation.IS_NOT_NULL, "comparison of bytes");
        refuse(call.operation() == Operation.IN, "a list of this length");
        refuse(first.type() == CqlType.CHAR && call.operation() != Operation.IS_NULL &&
            call.operation() != Operation.IS_NOT_NULL &&
            call.arguments().stream().allMatch(Expression.Literal.class::isInstance), "comparison of constants");
        refuse(call.arguments().size() > 2 && call.operation() != Operation.AND && call.operation() != Operation.OR,
            "a chain of this length");
        int operations = 1;
        for (final Expression argument : call.arguments())
        {
            operations += operations(argument);
        }
        return operations;
    }

    private static void refuse(final boolean isBeyond, final String what)
    {
        if (isBeyond)
        {
            throw new CqlRuleException(Message.NOT_AVAILABLE, null, what + " in a pipeline", "");
        }
    }
}
