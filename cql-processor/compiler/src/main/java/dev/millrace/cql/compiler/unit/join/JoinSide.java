package dev.millrace.cql.compiler.unit.join;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.unit.code.RowConsumer;
import dev.millrace.cql.compiler.unit.code.SymbolicRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * One side of a join: stores its rows, those of a key in a chain from the oldest to the newest. A row whose key
 * contains a null matches nothing and is not stored, unless an outer join emits it without a partner.
 *
 * <p>Not thread-safe; used for one class.
 */
public abstract class JoinSide implements RowConsumer
{
    /** Key of a row that has none. */
    public static final int NO_KEY = -2;

    private final JoinGenerator join;
    private final String name;
    private final SideRows rows;
    private final JoinIndex index;

    /**
     * @param name  prefix of all its names
     * @param rows  that it keeps
     * @param index by which its rows are found; {@code null} where they are found by their keys
     */
    protected JoinSide(final JoinGenerator join, final String name, final SideRows rows, final JoinIndex index)
    {
        this.index = index;
        this.join = join;
        this.name = name;
        this.rows = rows;
    }

    public JoinGenerator join()
    {
        return join;
    }

    public String name()
    {
        return name;
    }

    /** Columns of its rows that are stored, ascending. */
    public List<Integer> kept()
    {
        return rows.kept();
    }

    @Override
    public List<CqlType> types()
    {
        return rows.types();
    }

    @Override
    public Set<Integer> compares()
    {
        return rows.compares();
    }

    @Override
    public List<Integer> reads()
    {
        final List<Integer> all = new ArrayList<>(keys());
        kept().stream().filter(column -> !keys().contains(column)).forEach(all::add);
        return all;
    }

    @Override
    public Keyed keyed()
    {
        return keys().isEmpty() ? null : new Keyed(join().keys(), keys());
    }

    /** The index by which its rows are found; {@code null} when they are found by their keys. */
    final JoinIndex index()
    {
        return index;
    }

    /** Columns that must equal those of the other side. */
    List<Integer> keys()
    {
        return rows.keys();
    }

    /** Java condition for whether a row has no key; empty when it always has. */
    public String lacksKey(final SymbolicRow row)
    {
        return keys().stream().map(row::get).filter(Operand::canBeNull).map(Operand::isNull)
            .collect(Collectors.joining(" || "));
    }

    public List<Operand> key(final SymbolicRow row)
    {
        return keys().stream().map(row::get).toList();
    }

    /** Reads a column of a row at an index. */
    public abstract Operand read(ExpressionCode code, int column, String index);

    /**
     * Opens the loop over the distinct rows of a key.
     *
     * @param key name of the index of the key's words in {@code r}
     * @return name of the index of a row
     */
    protected abstract String openRows(ExpressionCode code, String key);

    /** Writes the index of a row that the index has found; returns its name. */
    protected abstract String found(ExpressionCode code, String index);

    /**
     * Opens the loop over the distinct rows that may be partners of a row of the other side.
     *
     * @param key   name of the index of the key's words in {@code r}
     * @param other Java expression of the index of the row of the other side
     * @return name of the index of a row
     */
    public final String openPartners(final ExpressionCode code, final String key, final String other)
    {
        return index == null ? openRows(code, key) : found(code, index.open(code, other));
    }

    /** Opens the loop over the copies of the row at an index; a side that stores each copy separately needs none. */
    public void openCopies(final ExpressionCode code, final String index)
    {
        code.open("");
    }

    /**
     * Opens the loop over the rows that may be partners of a row of the other side, each copy separately.
     *
     * @param key   name of the index of the key's words in {@code r}
     * @param index Java expression of the index of the row of the other side
     * @return name of the index of a row
     */
    public final String openEach(final ExpressionCode code, final String key, final String index)
    {
        final String partner = openPartners(code, key, index);
        openCopies(code, partner);
        return partner;
    }

    /** Ends the loop. */
    public final void closeEach(final ExpressionCode code)
    {
        code.close();
        code.close();
    }

    /**
     * Java expression of the number of partners of the row at an index, which all its copies share.
     *
     * @throws IllegalStateException on a side that does not emit rows without partners
     */
    public String partners(final String index)
    {
        throw new IllegalStateException("the side does not count partners");
    }

    /** Whether its rows are removed when time moves on, without output. */
    boolean isPassing()
    {
        return false;
    }

    /**
     * Java expression of the leave time of the row at an index.
     *
     * @throws IllegalStateException on a side that does not know it
     */
    String leavesAt(final String index)
    {
        throw new IllegalStateException("the side does not know when its rows leave");
    }

    /** Java variable that a reader may store with the row at an index; {@code null} if none exists. */
    String storedVariable(final String type, final String what, final String at)
    {
        return null;
    }

    /**
     * Java condition, after others, for whether the row that has just entered at an index is the first of its copies.
     */
    public String isFirstCopy(final String index)
    {
        return "";
    }

    /**
     * Writes the look-up of the key of a row.
     *
     * @param hasAlone whether a row without a key is emitted without a partner; otherwise a block skips it
     * @return name of the key's id, {@link #NO_KEY} for a row without a key
     */
    final String findKey(final SymbolicRow row, final boolean hasAlone)
    {
        final ExpressionCode code = row.code();
        final String lacksKey = lacksKey(row);
        if (!hasAlone || lacksKey.isEmpty())
        {
            if (!lacksKey.isEmpty())
            {
                row.open("if (!(" + lacksKey + "))");
            }
            return join().keys().find(row, key(row));
        }
        final String id = code.name("g");
        code.line("int " + id + " = " + NO_KEY + ';');
        code.open("if (!(" + lacksKey + "))");
        code.line(id + " = " + join().keys().find(code, key(row)) + ';');
        code.close();
        return id;
    }

    /** Writes its methods. */
    public abstract void write();

    /** Java expression of the number of stored rows. */
    public abstract String size();

    /** Writes the code for the end of a batch. */
    public void sweep(final ExpressionCode code)
    {
        // Rings have nothing to erase.
    }
}
