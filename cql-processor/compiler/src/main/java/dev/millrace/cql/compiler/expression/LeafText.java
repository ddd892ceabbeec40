package dev.millrace.cql.compiler.expression;

import dev.millrace.cql.plan.expression.Expression;

/** Reads a leaf of an expression (a column, or a reference of a pattern to a match) in generated code. */
@FunctionalInterface
public interface LeafText
{
    /**
     * Reads a leaf.
     *
     * @param leaf not a call or literal
     * @param code receives statements and assigns names
     * @return the value
     */
    Operand read(Expression leaf, ExpressionCode code);
}
