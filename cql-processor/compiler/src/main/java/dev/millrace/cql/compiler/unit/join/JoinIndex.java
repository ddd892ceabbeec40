package dev.millrace.cql.compiler.unit.join;

import dev.millrace.cql.compiler.expression.ExpressionCode;

/**
 * An index of one side of a join without keys, in which rows of the other side find their possible partners.
 *
 * <p>Not thread-safe; used for one class.
 */
interface JoinIndex
{
    /** Name of its field. */
    String name();

    /** Class of its field, as source text. */
    String type();

    /**
     * Writes its methods.
     *
     * @param own   for a method over the row of the side at {@code p}
     * @param other for methods over the row of the other side at {@code p}
     */
    void write(Body own, Body other);

    /**
     * Opens the loop over possible partners of a row.
     *
     * @param rowIndex Java expression of the index of the row
     * @return name of the index of a partner
     */
    String open(ExpressionCode code, String rowIndex);

    /** Writes the statement that adds the row at {@code p} to the index. */
    void add(ExpressionCode code, String rowIndex);

    /** Writes the statement that removes a row from the index. */
    void remove(ExpressionCode code, String rowIndex);

    /** Starts the body of a method that reads columns of a row. */
    @FunctionalInterface
    interface Body
    {
        /** Starts a body; leaves are read from the parameters. */
        ExpressionCode of(String parameters, String arguments);
    }
}
