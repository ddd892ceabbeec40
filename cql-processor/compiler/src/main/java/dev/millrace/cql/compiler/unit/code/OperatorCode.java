package dev.millrace.cql.compiler.unit.code;

import dev.millrace.cql.compiler.expression.ExpressionCode;

/**
 * An operator of a unit: writes its part of the methods that all units have. Operators are asked in the order of the
 * plan, inputs first.
 *
 * <p>Used by one thread, for one class.
 */
public interface OperatorCode
{
    /** Writes the methods and fields of its own. Those that read it have done so before. */
    default void write()
    {
    }

    /**
     * Whether anything can ever come to it; asked when all operators are written. The rows of a relation that only
     * grows never leave, so that nothing comes to what reads its DSTREAM.
     */
    default boolean isReached()
    {
        return true;
    }

    /** Writes what happens at the beginning of time. */
    default void begin(final ExpressionCode code)
    {
    }

    /** Writes what happens before a batch. */
    default void beginBatch(final ExpressionCode code)
    {
    }

    /** Java expression of the time at which it has something to do without rows; {@code null} when it never has. */
    default String due()
    {
        return null;
    }

    /** Writes what is due: rows whose time has come leave as of the instant {@code now}. */
    default void atDue(final ExpressionCode code)
    {
    }

    /** Whether rows that waited for their instant must come behind those of other operators. */
    default boolean arrivesLast()
    {
        return false;
    }

    /** Writes what happens when rows that waited have come to their instant, which is {@code now}. */
    default void arrive(final ExpressionCode code)
    {
    }

    /** Writes what happens when an instant is over: its changes go to those that read it. */
    default void close(final ExpressionCode code)
    {
    }

    /** Writes what sets {@code untilNs} to the time of the last row that waits for its instant and is forgotten. */
    default void waiting(final ExpressionCode code)
    {
    }

    /** Writes what drops the rows of {@code partitions} that wait for their instant, before others leave for good. */
    default void drop(final ExpressionCode code)
    {
    }

    /** Writes what forgets the changes that the rows which were dropped have left. */
    default void dropped(final ExpressionCode code)
    {
    }

    /** Writes what lets the rows of {@code partitions} leave, as of the instant {@code now}, which is over. */
    default void forget(final ExpressionCode code)
    {
    }

    /** Java expression of how many keys were forgotten because they were idle; {@code null} when there are none. */
    default String forgotten()
    {
        return null;
    }

    /** Writes what happens when a batch is over. */
    default void sweep(final ExpressionCode code)
    {
    }

    /** Writes what it tells about its state, to {@code figures}. */
    default void state(final ExpressionCode code)
    {
    }
}
