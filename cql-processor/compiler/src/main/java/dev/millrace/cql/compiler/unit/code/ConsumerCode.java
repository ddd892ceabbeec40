package dev.millrace.cql.compiler.unit.code;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.Operand;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

/**
 * An operator as the one below it sees it: writes what happens when a row enters and when it leaves.
 *
 * <p>Used by one thread, for one class.
 */
public interface ConsumerCode
{
    /** Columns of the row that it reads. */
    List<Integer> reads();

    /**
     * Columns, of those that it reads, whose values it compares or computes with. The strings of the others are only
     * carried on, also in what {@link #enter} gives to be remembered, and equal ones may have different codes.
     */
    default Collection<Integer> compares()
    {
        return reads();
    }

    /** Columns of a row that it reads; the strings of those that are only carried are marked so. */
    default List<Operand> carried(final Row row)
    {
        final Collection<Integer> compared = compares();
        return reads().stream().map(column -> compared.contains(column) ? row.get(column) :
            row.get(column).carried()).toList();
    }

    /** What it has given to be remembered; strings are marked where it only carries them. */
    default List<Operand> remembered(final List<Operand> given)
    {
        return compares().isEmpty() ? given.stream().map(Operand::carried).toList() : given;
    }

    /** Whether it only carries a string that it reads, so that memory may be needed for each row. */
    default boolean carriesTexts()
    {
        final Collection<Integer> compared = compares();
        return reads().stream().anyMatch(column -> types().get(column) == CqlType.CHAR && !compared.contains(column));
    }

    /** Learns that its rows leave in the order in which they came, from a ring to which it may add columns. */
    default void over(final RingColumns ring)
    {
        // Most readers need none.
    }

    /**
     * Writes what happens when a row enters. May open blocks of the row.
     *
     * @return what must be remembered so that the row can leave
     */
    List<Operand> enter(Row row);

    /**
     * Writes what happens when a row leaves that has entered.
     *
     * @param remembered what {@link #enter} has given
     */
    void leave(ExpressionCode code, List<Operand> remembered);

    /**
     * Writes what happens when a row leaves of which nothing is remembered but its columns. May open blocks of the row.
     */
    void leave(Row row);

    /** Whether it takes notice of rows that enter. */
    default boolean wantsEntering()
    {
        return true;
    }

    /** Whether it takes notice of rows that leave. */
    default boolean wantsLeaving()
    {
        return true;
    }

    /** Whether it takes rows that are there for their instant as a stream, so that they need no window. */
    default boolean isOfInstant()
    {
        return false;
    }

    /** Whether equal rows that enter and leave in one instant must have cancelled each other. */
    default boolean wantsNet()
    {
        return false;
    }

    /** Whether its rows must come behind those of other streams of their instant. */
    default boolean comesLast()
    {
        return false;
    }

    /** Whether it takes notice of different rows only, and not of how often they are there. */
    default boolean isOfDifferent()
    {
        return false;
    }

    /** Whether it wants to know of a row that enters when that leaves; only where windows of time know it. */
    default boolean wantsLeavingTimes()
    {
        return false;
    }

    /**
     * Learns how to go through the rows that are in the window below, whose columns stay where {@link #enter} has read
     * them.
     *
     * @param opening opens a loop in which {@code p} is the place of a row
     */
    default void inside(final Consumer<ExpressionCode> opening)
    {
        // Most readers keep what they need.
    }

    /**
     * Writes what must hold of a row so that it is kept until it enters, at a multiple of a step. May open blocks of
     * the row.
     *
     * @param entersAt Java expression of that time
     */
    default void waits(final Row row, final String entersAt)
    {
        // Most readers want all rows.
    }

    /** Writes what happens before the rows of a tick leave and enter. */
    default void beforeTick(final ExpressionCode code)
    {
        // Most readers take the rows one by one.
    }

    /** Whether rows that enter only make something due: nothing else happens at the end of their instant. */
    default boolean isTicked()
    {
        return false;
    }

    /** Types of the rows that it reads. */
    List<CqlType> types();

    /** Whether rows that leave in an instant must come before those that enter. */
    default boolean wantsLeavingFirst()
    {
        return false;
    }
}
