package dev.millrace.cql.plan;

import dev.millrace.api.event.CqlType;
import java.util.List;
import java.util.Objects;

/**
 * A typed expression over the rows that an operator has at hand. Immutable.
 *
 * <p>Conditions have type {@link CqlType#BOOLEAN} and three-valued logic: null is UNKNOWN.
 */
public sealed interface Expression
{
    /**
     * The type of the value.
     *
     * @return CQL type
     */
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
     * @param type  its type
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
     * @param type     its type
     * @param nullable whether it can be null
     */
    record Column(int column, CqlType type, boolean nullable) implements Expression
    {
    }

    /**
     * A column of the relation row that a {@link Operator.LookupJoin} found for the input row.
     *
     * @param column   index from 0 in the relation's row
     * @param type     its type
     * @param nullable whether it can be null
     */
    record RelationColumn(int column, CqlType type, boolean nullable) implements Expression
    {
    }

    /**
     * A column of an earlier row of the same partition, in a {@link Operator.FixedPattern}: offset 0 is the row
     * under test, 1 the row of the partition before it. Null when there is no such row.
     *
     * @param offset   rows back, at least 0
     * @param column   index from 0 in the input row
     * @param type     its type
     * @param nullable whether it can be null even when the row exists
     */
    record PriorColumn(int offset, int column, CqlType type, boolean nullable) implements Expression
    {
    }

    /**
     * An aggregate of a {@link Operator.GroupedAggregate}, by its place in the list of aggregates.
     *
     * @param aggregate index from 0
     * @param type      its type
     * @param nullable  whether it can be null
     */
    record AggregateValue(int aggregate, CqlType type, boolean nullable) implements Expression
    {
    }

    /**
     * A grouping key of a {@link Operator.GroupedAggregate}, by its place in the list of keys.
     *
     * @param key      index from 0
     * @param type     its type
     * @param nullable whether it can be null
     */
    record KeyValue(int key, CqlType type, boolean nullable) implements Expression
    {
    }

    /**
     * An operator or function applied to arguments.
     *
     * @param operation what is done
     * @param arguments its operands, already converted to the types it wants
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
}
