package dev.millrace.cql.compiler.unit.code;

import dev.millrace.cql.compiler.expression.ExpressionCode;

/**
 * An operator of a unit: writes its part of the methods that all units have. Operators are called in the order of the
 * plan, inputs first.
 *
 * <p>Not thread-safe; used for one class.
 */
public interface UnitOperatorGenerator
{
    /** Writes its methods and fields. Its readers have done so before. */
    default void write()
    {
    }

    /**
     * Whether any row can ever reach it; called after all operators are written. The rows of a relation that only grows
     * never leave, so that no row reaches a reader of its DSTREAM.
     */
    default boolean isReached()
    {
        return true;
    }

    /** Writes the code for the beginning of time. */
    default void begin(final ExpressionCode code)
    {
    }

    /** Writes the code before a batch. */
    default void beginBatch(final ExpressionCode code)
    {
    }

    /** Java expression of the time at which it has work without rows; {@code null} when it never has. */
    default String due()
    {
        return null;
    }

    /** Writes the due work: rows whose time has come leave as of the instant {@code now}. */
    default void atDue(final ExpressionCode code)
    {
    }

    /** Whether rows that waited for their instant must come after those of other operators. */
    default boolean arrivesLast()
    {
        return false;
    }

    /** Writes the code for waiting rows that have reached their instant, which is {@code now}. */
    default void arrive(final ExpressionCode code)
    {
    }

    /** Writes the code for the end of an instant: its changes go to the readers. */
    default void close(final ExpressionCode code)
    {
    }

    /** Writes code that sets {@code untilNs} to the time of the last row to discard that waits for its instant. */
    default void waiting(final ExpressionCode code)
    {
    }

    /** Writes code that removes the waiting rows of {@code partitions}, before other rows leave permanently. */
    default void drop(final ExpressionCode code)
    {
    }

    /** Writes code that discards the changes left by removed rows. */
    default void dropped(final ExpressionCode code)
    {
    }

    /** Writes code that makes the rows of {@code partitions} leave as of the instant {@code now}, which has passed. */
    default void forget(final ExpressionCode code)
    {
    }

    /** Java expression of the number of keys discarded because they were idle; {@code null} for none. */
    default String forgotten()
    {
        return null;
    }

    /** Writes the code for the end of a batch. */
    default void sweep(final ExpressionCode code)
    {
    }

    /** Writes code that reports the size of its state to {@code figures}. */
    default void state(final ExpressionCode code)
    {
    }
}
