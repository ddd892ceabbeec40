package dev.millrace.cql.plan.expression;

import dev.millrace.api.event.CqlType;
import java.util.List;
import java.util.Objects;

/**
 * A typed expression over the rows that an operator processes. Immutable.
 *
 * <p>Conditions have type {@link CqlType#BOOLEAN} and three-valued logic: null is UNKNOWN.
 */
public sealed interface Expression permits Expression.Literal, Expression.Column, Expression.RelationColumn,
    Expression.PriorColumn, Expression.AggregateValue, Expression.KeyValue, Expression.Call, Expression.FunctionCall,
    Expression.Case, PatternExpression
{
    /** The type of the value. */
    CqlType type();

    /**
     * Whether the value can be null.
     *
     * @return false only when null is impossible
     */
    boolean nullable();

    /**
     * A constant.
     *
     * @param value boxed value of {@code type.javaClass()}, or {@code null}
     */
    record Literal(Object value, CqlType type) implements Expression
    {
        /** Checks the arguments. */
        public Literal
        {
            Objects.requireNonNull(type, "type");
        }

        @Override
        public boolean nullable()
        {
            return value == null;
        }
    }

    /**
     * A column of the operator's input row.
     *
     * @param column   index from 0 in the input row
     * @param nullable whether it can be null
     */
    record Column(int column, CqlType type, boolean nullable) implements Expression
    {
    }

    /**
     * A column of the relation row that a {@code Operator.LookupJoin} found for the input row.
     *
     * @param column   index from 0 in the relation's row
     * @param nullable whether it can be null
     */
    record RelationColumn(int column, CqlType type, boolean nullable) implements Expression
    {
    }

    /**
     * A column of an earlier row of the same partition, in a {@code Operator.FixedPattern}: offset 0 is the row under
     * test, 1 the previous row of the partition. Null when there is no such row.
     *
     * @param offset   number of rows back, at least 0
     * @param column   index from 0 in the input row
     * @param nullable whether it can be null even when the row exists
     */
    record PriorColumn(int offset, int column, CqlType type, boolean nullable) implements Expression
    {
    }

    /**
     * An aggregate of a {@code Operator.GroupedAggregate}, by its index in the list of aggregates.
     *
     * @param aggregate index from 0
     * @param nullable  whether it can be null
     */
    record AggregateValue(int aggregate, CqlType type, boolean nullable) implements Expression
    {
    }

    /**
     * A grouping key of a {@code Operator.GroupedAggregate}, by its index in the list of keys.
     *
     * @param key      index from 0
     * @param nullable whether it can be null
     */
    record KeyValue(int key, CqlType type, boolean nullable) implements Expression
    {
    }

    /**
     * An operator or function applied to arguments.
     *
     * @param operation operator
     * @param arguments operands, already converted to the types that the operation expects
     * @param type      type of the result
     * @param nullable  whether the result can be null
     */
    record Call(Operation operation, List<Expression> arguments, CqlType type, boolean nullable) implements Expression
    {
        /** Copies the arguments. */
        public Call
        {
            Objects.requireNonNull(operation, "operation");
            arguments = List.copyOf(arguments);
        }
    }

    /**
     * A call of a function that is not an operator.
     *
     * @param arguments already converted to the types that the function expects
     * @param type      type of the result
     */
    record FunctionCall(FunctionRef function, List<Expression> arguments, CqlType type) implements Expression
    {
        /** Copies the arguments. */
        public FunctionCall
        {
            Objects.requireNonNull(function, "function");
            arguments = List.copyOf(arguments);
        }

        @Override
        public boolean nullable()
        {
            return true;
        }
    }

    /**
     * {@code case when c1 then v1 ... else e end}.
     *
     * @param conditions tested in order
     * @param values     one per condition, all of one type
     * @param otherwise  value when no condition is true; a null literal without ELSE
     * @param type       type of the result
     */
    record Case(List<Expression> conditions, List<Expression> values, Expression otherwise, CqlType type)
        implements Expression
    {
        /** Copies the lists. */
        public Case
        {
            conditions = List.copyOf(conditions);
            values = List.copyOf(values);
            Objects.requireNonNull(otherwise, "otherwise");
        }

        @Override
        public boolean nullable()
        {
            return true;
        }
    }
}
