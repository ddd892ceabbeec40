package dev.millrace.cql.compiler.unit.join;

import dev.millrace.cql.compiler.unit.code.RowConsumer;

/** A join as seen by its inputs. Not thread-safe; used for one class. */
public interface JoinSides
{
    /** The consumer of the left input. */
    RowConsumer left();

    /** The consumer of the right input. */
    RowConsumer right();
}
