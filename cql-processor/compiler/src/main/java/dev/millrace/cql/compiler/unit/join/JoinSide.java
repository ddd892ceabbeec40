package dev.millrace.cql.compiler.unit.join;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.unit.code.ConsumerCode;
import dev.millrace.cql.compiler.unit.code.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * One side of a join: keeps its rows, those of a key in a chain from the oldest to the newest. A row whose key has a
 * null matches nothing and is not kept, unless an outer join shows it alone.
 *
 * <p>Used by one thread, for one class.
 */
public abstract class JoinSide implements ConsumerCode
{
    /** Place of a row that has no key. */
    public static final int NO_KEY = -2;

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
    public JoinSide(final JoinCode join, final String name, final List<Integer> keys, final List<CqlType> types,
        final List<Integer> kept)
    {
        this.join = join;
        this.name = name;
        this.keys = keys;
        this.types = types;
        this.kept = kept;
    }

    public JoinCode join()
    {
        return join;
    }

    public String name()
    {
        return name;
    }

    /** Columns of its rows that are kept, ascending. */
    public List<Integer> kept()
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

    /** Columns that must equal those of the other side. */
    List<Integer> keys()
    {
        return keys;
    }

    /** Java condition of whether a row has no key; empty when it always has. */
    public String lacksKey(final Row row)
    {
        return keys.stream().map(row::get).filter(Operand::canBeNull).map(Operand::isNull)
            .collect(Collectors.joining(" || "));
    }

    public List<Operand> key(final Row row)
    {
        return keys.stream().map(row::get).toList();
    }

    /** Reads a column of a row at a place. */
    public abstract Operand read(ExpressionCode code, int column, String place);

    /**
     * Opens the loop over the rows of a key.
     *
     * @param key name of the place of the key's words in {@code r}
     * @return name of the place of a row
     */
    public abstract String openEach(ExpressionCode code, String key);

    /** Ends the loop. */
    public abstract void closeEach(ExpressionCode code);

    /** Writes its methods. */
    public abstract void write();

    /** Java expression of how many rows it keeps. */
    public abstract String size();

    /** Writes what happens when a batch is over. */
    public void sweep(final ExpressionCode code)
    {
        // Rings have nothing to erase.
    }
}
