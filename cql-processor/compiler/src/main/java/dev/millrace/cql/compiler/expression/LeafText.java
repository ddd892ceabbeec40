package dev.millrace.cql.compiler.expression;

import dev.millrace.cql.plan.Expression;

/** Says how a leaf of an expression (a column, what a pattern sees of a match) is read in generated text. */
@FunctionalInterface
public interface LeafText
{
    /**
     * Reads a leaf.
     *
     * @param leaf no call, no literal
     * @param code writes statements and gives out names
     * @return the value
     */
    Operand read(Expression leaf, ExpressionCode code);
}
