package dev.millrace.cql.runtime.flow;

import dev.millrace.cql.runtime.SlotInts;
import java.util.Arrays;

/**
 * Joins each row that enters with the rows that a source gives for it, all or, when it fails, none; they leave with it,
 * whatever the source says by then.
 *
 * <p>Threads: the engine's.
 */
public final class PullOperator extends FlowOperator
{
    /** Reason of rows for which a source failed. */
    public static final String FAILED = "pull-failed";

    private static final int NONE = -1;
    private static final int ROW = 0;
    private static final int NEXT = 1;

    private final FlowOperator input;
    private final Calc keys;
    private final RowStore keyRows;
    private final PullSource source;
    private final int firstPulled;
    private final boolean keeps;
    private final RowIndex asked;
    /** Rows put out for an entry, as a chain. */
    private final SlotInts firstResult = new SlotInts();
    private final SlotInts results = new SlotInts(2, 0);
    private int usedResults;
    private int freeResult = NONE;

    /**
     * Makes an operator.
     *
     * @param input   rows that ask
     * @param keys    projects a row to what is asked with; rows that fail its condition do not ask
     * @param keyRows store of the keys
     * @param source  what is asked
     * @param rows    store of the result: columns of the input, then those of the source
     * @param keeps   whether rows of the input leave again; otherwise nothing is kept
     */
    public PullOperator(final FlowOperator input, final Calc keys, final RowStore keyRows, final PullSource source,
        final RowStore rows, final boolean keeps)
    {
        super(rows, input);
        this.input = input;
        this.keys = keys;
        this.keyRows = keyRows;
        this.source = source;
        this.keeps = keeps;
        firstPulled = input.store().layout().columnCount();
        asked = new RowIndex(input.store(), RowIndex.allColumns(input.store()));
    }

    @Override
    protected void process(final long nowNs)
    {
        final Delta in = input.delta();
        for (int i = 0; i < in.size(); i++)
        {
            if (in.isPlus(i))
            {
                ask(in.row(i));
            }
            else
            {
                leave(in.row(i));
            }
        }
    }

    private void ask(final int row)
    {
        final int entry = keeps ? newEntry(row) : NONE;
        final int before = delta().size();
        try
        {
            if (keys.test(input.store(), row))
            {
                source.find(keysOf(row), values -> found(entry, row, values));
            }
        }
        // Sources are written by users: they may throw anything, also give rows of other types.
        catch (final Throwable failure)
        {
            undo(entry, before);
            reject(Values.failed(FAILED, "what is asked for rows failed,", failure));
        }
    }

    /** What a source gave before it failed does not count. */
    private void undo(final int entry, final int changesBefore)
    {
        delta().truncate(changesBefore);
        if (entry != NONE)
        {
            int cell = firstResult.get(entry);
            firstResult.set(entry, NONE);
            while (cell != NONE)
            {
                store().release(results.get(cell, ROW));
                cell = freeCell(cell);
            }
        }
    }

    /** Frees a cell; gives the one after it. */
    private int freeCell(final int cell)
    {
        final int following = results.get(cell, NEXT);
        results.set(cell, NEXT, freeResult);
        freeResult = cell;
        return following;
    }

    private int newEntry(final int row)
    {
        final int entry = asked.add(row);
        firstResult.reach(entry);
        firstResult.set(entry, NONE);
        return entry;
    }

    private Object[] keysOf(final int row)
    {
        final int keyRow = keyRows.allocate();
        try
        {
            keys.project(input.store(), row, keyRows, keyRow);
            final Object[] values = new Object[keyRows.layout().columnCount()];
            Arrays.setAll(values, i -> keyRows.value(keyRow, i));
            return values;
        }
        finally
        {
            keyRows.release(keyRow);
        }
    }

    private void found(final int entry, final int row, final Object[] values)
    {
        final int result = store().allocate();
        boolean isComplete = false;
        try
        {
            store().copyAll(input.store(), row, result, 0);
            for (int i = 0; i < values.length; i++)
            {
                store().set(result, firstPulled + i, values[i]);
            }
            isComplete = true;
        }
        finally
        {
            if (!isComplete)
            {
                store().release(result);
            }
        }
        if (!keeps)
        {
            delta().give(result, true);
            return;
        }
        delta().add(result, true);
        final int cell = takeCell();
        results.set(cell, ROW, result);
        results.set(cell, NEXT, firstResult.get(entry));
        firstResult.set(entry, cell);
    }

    private int takeCell()
    {
        if (freeResult != NONE)
        {
            final int cell = freeResult;
            freeResult = results.get(cell, NEXT);
            return cell;
        }
        results.reach(usedResults);
        return usedResults++;
    }

    private void leave(final int row)
    {
        final int entry = asked.find(row);
        if (entry == RowIndex.NONE)
        {
            return;
        }
        int cell = firstResult.get(entry);
        while (cell != NONE)
        {
            delta().give(results.get(cell, ROW), false);
            cell = freeCell(cell);
        }
        asked.remove(entry);
    }

    @Override
    public long stateSize()
    {
        return asked.size();
    }
}
