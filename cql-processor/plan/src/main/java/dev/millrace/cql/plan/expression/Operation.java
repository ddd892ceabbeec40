package dev.millrace.cql.plan.expression;

/**
 * The operation of an {@link Expression.Call}. The planner has converted the operands to one type, with
 * {@link #CONVERT} where needed.
 */
public enum Operation
{
    /** Sum of two or more numbers of one type, from left to right. */
    ADD,
    /** The first number minus the others of its type, from left to right. */
    SUBTRACT,
    /** Product of two or more numbers of one type, from left to right. */
    MULTIPLY,
    /** Quotient of two numbers of one type; integers truncate; an integer divisor of zero rejects the event. */
    DIVIDE,
    /** Negation of a number. */
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
    /** Three-valued AND of two or more operands. */
    AND,
    /** Three-valued OR of two or more operands. */
    OR,
    /** Three-valued XOR of two or more operands. */
    XOR,
    /** Three-valued NOT. */
    NOT,
    /** True when the operand is null, never null. */
    IS_NULL,
    /** True when the operand is not null, never null. */
    IS_NOT_NULL,
    /** Conversion to the type of the call: a number to a wider one or to char, char to timestamp. */
    CONVERT,
    /** Concatenation of two or more char operands; null counts as the empty string; null when all operands are null. */
    CONCAT,
    /** Whether a regular expression occurs in a string; the second operand is a constant, compiled once. */
    LIKE,
    /** True when the first operand equals one of the others, unknown when none does and one is null. */
    IN;

    /**
     * The operation that gives the same result when its two operands are exchanged.
     *
     * @return the opposite order for comparisons of order, otherwise the operation itself
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
