package dev.millrace.cql.plan;

/**
 * What a {@link Expression.Call} does. Operands have been given one type by the planner, with {@link #CONVERT} where
 * needed.
 */
public enum Operation
{
    /** Sum of two or more numbers of one type, from left to right. */
    ADD,
    /** First number less the others of its type, from left to right. */
    SUBTRACT,
    /** Product of two or more numbers of one type, from left to right. */
    MULTIPLY,
    /** Quotient of two numbers of one type; integers truncate, an integer zero divisor rejects the event. */
    DIVIDE,
    /** Negative of a number. */
    NEGATE,
    /** Equal; operands of one type; char operands compare as strings. */
    EQUAL,
    /** Not equal. */
    NOT_EQUAL,
    /** Less; numbers and times by value, char by code point. */
    LESS,
    /** Less or equal. */
    LESS_OR_EQUAL,
    /** Greater. */
    GREATER,
    /** Greater or equal. */
    GREATER_OR_EQUAL,
    /** Three-valued and, two or more operands. */
    AND,
    /** Three-valued or, two or more operands. */
    OR,
    /** Three-valued exclusive or, two or more operands. */
    XOR,
    /** Three-valued not. */
    NOT,
    /** True when the operand is null, never null. */
    IS_NULL,
    /** True when the operand is not null, never null. */
    IS_NOT_NULL,
    /** Conversion to the type of the call: a number to a wider one or to char, char to timestamp. */
    CONVERT,
    /** Text of two or more operands, char each; null counts as empty, nulls alone give null. */
    CONCAT,
    /** Regular expression found in a text; the second operand is a constant, compiled once. */
    LIKE,
    /** True when the first operand equals one of the others, unknown when none does and one is null. */
    IN;

    /**
     * What says the same of two operands that have changed places.
     *
     * @return the opposite order for comparisons of order, else the operation itself
     */
    public Operation mirrored()
    {
        return switch (this)
        {
            case LESS -> GREATER;
            case LESS_OR_EQUAL -> GREATER_OR_EQUAL;
            case GREATER -> LESS;
            case GREATER_OR_EQUAL -> LESS_OR_EQUAL;
            default -> this;
        };
    }
}
