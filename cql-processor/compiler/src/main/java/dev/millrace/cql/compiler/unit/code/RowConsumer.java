package dev.millrace.cql.compiler.unit.code;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.Operand;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

/**
 * An operator as seen by the operator below it: writes the code for rows that enter and leave.
 *
 * <p>Not thread-safe; used for one class.
 */
public interface RowConsumer
{
    /** Columns of its input rows that it reads. */
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
    default List<Operand> carried(final SymbolicRow row)
    {
        final Collection<Integer> compared = compares();
        return reads().stream().map(column -> compared.contains(column) ? row.get(column) :
            row.get(column).carried()).toList();
    }

    /** The values that it has given to be remembered; strings that it only carries are marked. */
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
        // Most readers need no column.
    }

    /**
     * Writes the code for a row that enters. May open blocks of the row.
     *
     * @return values that must be stored so that the row can leave
     */
    List<Operand> enter(SymbolicRow row);

    /**
     * Writes the code for a row that has entered and leaves.
     *
     * @param remembered result of {@link #enter}
     */
    void leave(ExpressionCode code, List<Operand> remembered);

    /** Writes the code for a row that leaves of which only the columns are known. May open blocks of the row. */
    void leave(SymbolicRow row);

    /** Whether rows that enter affect it. */
    default boolean wantsEntering()
    {
        return true;
    }

    /** Whether rows that leave affect it. */
    default boolean wantsLeaving()
    {
        return true;
    }

    /** Whether it accepts rows that exist for their instant as a stream, so that they need no window. */
    default boolean isOfInstant()
    {
        return false;
    }

    /** Whether it requires that equal rows that enter and leave in one instant have cancelled each other. */
    default boolean wantsNet()
    {
        return false;
    }

    /** Whether its rows must come after those of other streams of their instant. */
    default boolean comesLast()
    {
        return false;
    }

    /** Whether only distinct rows affect it, regardless of their number. */
    default boolean isOfDifferent()
    {
        return false;
    }

    /** Whether it needs the leave time of a row when it enters; only time windows know it. */
    default boolean wantsLeavingTimes()
    {
        return false;
    }

    /**
     * Receives a way to iterate over the rows of the window below, whose columns stay where {@link #enter} has read
     * them.
     *
     * @param opening opens a loop in which {@code p} is the index of a row
     */
    default void inside(final Consumer<ExpressionCode> opening)
    {
        // Most readers store what they need.
    }

    /**
     * Writes the condition under which a row is stored until it enters, at a multiple of a step. May open blocks of the
     * row.
     *
     * @param entersAt Java expression of that time
     */
    default void waits(final SymbolicRow row, final String entersAt)
    {
        // Most readers need all rows.
    }

    /** Writes the code before the rows of a tick leave and enter. */
    default void beforeTick(final ExpressionCode code)
    {
        // Most readers process the rows one by one.
    }

    /** Whether rows that enter only schedule later work: nothing else happens at the end of their instant. */
    default boolean isTicked()
    {
        return false;
    }

    /** The key by which it looks up each row that enters; {@code null} without one. */
    default Keyed keyed()
    {
        return null;
    }

    /**
     * A key of rows.
     *
     * @param keys    the table in which it is looked up
     * @param columns of the rows
     */
    record Keyed(KeyTableGenerator keys, List<Integer> columns)
    {
    }

    /**
     * Whether it stores each string of a row that enters once at most and does not read the row afterwards, so that it
     * can take strings over that state has retained for a row.
     */
    default boolean takesOver()
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
