package dev.millrace.cql.compiler.unit;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.Operand;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * One side of a join: keeps its rows, those of a key in a chain from the oldest to the newest. A row whose key has a
 * null matches nothing and is not kept, unless an outer join shows it alone.
 *
 * <p>Used by one thread, for one class.
 */
abstract class JoinSide implements ConsumerCode
{
    /** Place of a row that has no key. */
    static final int NO_KEY = -2;

    private final JoinCode join;
    private final String name;
    private final List<Integer> keys;
    private final List<CqlType> types;
    private final List<Integer> kept;

    /**
     * Prepares a side.
     *
     * @param name  prefix of all its names
     * @param keys  columns that must equal those of the other side
     * @param types of its rows
     * @param kept  columns of its rows that are kept
     */
    JoinSide(final JoinCode join, final String name, final List<Integer> keys, final List<CqlType> types,
        final List<Integer> kept)
    {
        this.join = join;
        this.name = name;
        this.keys = keys;
        this.types = types;
        this.kept = kept;
    }

    JoinCode join()
    {
        return join;
    }

    String name()
    {
        return name;
    }

    /** Columns of its rows that are kept, ascending. */
    List<Integer> kept()
    {
        return kept;
    }

    @Override
    public List<CqlType> types()
    {
        return types;
    }

    @Override
    public List<Integer> reads()
    {
        final List<Integer> all = new ArrayList<>(keys);
        kept.stream().filter(column -> !keys.contains(column)).forEach(all::add);
        return all;
    }

    /** Java condition of whether a row has no key; empty when it always has. */
    String lacksKey(final Row row)
    {
        return keys.stream().map(row::get).filter(Operand::canBeNull).map(Operand::isNull)
            .collect(Collectors.joining(" || "));
    }

    List<Operand> key(final Row row)
    {
        return keys.stream().map(row::get).toList();
    }

    /** Reads a column of a row at a place. */
    abstract Operand read(ExpressionCode code, int column, String place);

    /**
     * Opens the loop over the rows of a key.
     *
     * @param key name of the place of the key's words in {@code r}
     * @return name of the place of a row
     */
    abstract String openEach(ExpressionCode code, String key);

    /** Ends the loop. */
    abstract void closeEach(ExpressionCode code);

    /** Writes its methods. */
    abstract void write();

    /** Java expression of how many rows it keeps. */
    abstract String size();

    /** Writes what happens when a batch is over. */
    void sweep(final ExpressionCode code)
    {
        // Rings have nothing to erase.
    }
}
