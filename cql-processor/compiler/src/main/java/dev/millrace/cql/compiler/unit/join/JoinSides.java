package dev.millrace.cql.compiler.unit.join;

import dev.millrace.cql.compiler.unit.code.ConsumerCode;

/** A join as its inputs see it. Used by one thread, for one class. */
public interface JoinSides
{
    /** What takes the rows of the left input. */
    ConsumerCode left();

    /** What takes the rows of the right input. */
    ConsumerCode right();
}
