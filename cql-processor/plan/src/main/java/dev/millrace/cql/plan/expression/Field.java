package dev.millrace.cql.plan.expression;

import java.util.Objects;

/**
 * A named output column of an operator.
 *
 * @param name       column name
 * @param expression its value over the operator's input
 */
public record Field(String name, Expression expression)
{
    /** Checks the arguments. */
    public Field
    {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(expression, "expression");
    }
}
