package dev.millrace.samples.signalgeneration;

import dev.millrace.api.event.CharColumn;
import dev.millrace.api.event.EventBatch;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The last rows of one kind. The writer never waits: it increments a sequence number before and after each write, and a
 * reader that observes a change of the number reads again.
 *
 * <p>Threads: a single writer at a time, any number of readers.
 */
final class RecentRows
{
    /** Maximum number of rows kept. */
    static final int KEPT = 8;

    private static final int MAX_READS = 1000;

    private final String changeProperty;
    private final String[] symbols = new String[KEPT];
    private final double[] prices = new double[KEPT];
    private final double[] changes = new double[KEPT];
    private long rowsWritten;
    private volatile int sequence;
    private int symbolColumn = -1;
    private int priceColumn;
    private int changeColumn;

    RecentRows(final String changeProperty)
    {
        this.changeProperty = changeProperty;
    }

    void add(final EventBatch batch)
    {
        if (symbolColumn < 0)
        {
            learnColumns(batch);
        }
        final CharColumn batchSymbols = batch.texts(symbolColumn);
        final double[] batchPrices = batch.doubles(priceColumn);
        final double[] batchChanges = batch.doubles(changeColumn);
        final int size = batch.size();
        final int before = sequence;
        sequence = before + 1;
        VarHandle.fullFence();
        rowsWritten += size;
        for (int row = Math.max(0, size - KEPT); row < size; row++)
        {
            final int slot = (int)((rowsWritten - size + row) % KEPT);
            symbols[slot] = batchSymbols.string(row);
            prices[slot] = batchPrices[row];
            changes[slot] = batchChanges[row];
        }
        sequence = before + 2;
    }

    private void learnColumns(final EventBatch batch)
    {
        priceColumn = batch.schema().type().indexOf("lastPrice");
        changeColumn = batch.schema().type().indexOf(changeProperty);
        symbolColumn = batch.schema().type().indexOf("symbol");
    }

    /** Newest first. Empty when the writer wrote during every attempt to read. */
    List<Map<String, Object>> rows()
    {
        for (int read = 0; read < MAX_READS; read++)
        {
            final int before = sequence;
            if ((before & 1) == 0)
            {
                final List<Map<String, Object>> rows = read();
                VarHandle.fullFence();
                if (sequence == before)
                {
                    return rows;
                }
            }
            Thread.onSpinWait();
        }
        return List.of();
    }

    private List<Map<String, Object>> read()
    {
        final List<Map<String, Object>> rows = new ArrayList<>(KEPT);
        final long written = rowsWritten;
        for (long row = written - 1; row >= 0 && row >= written - KEPT; row--)
        {
            final int slot = (int)(row % KEPT);
            final Map<String, Object> values = new LinkedHashMap<>();
            values.put("symbol", symbols[slot]);
            values.put("lastPrice", prices[slot]);
            values.put(changeProperty, changes[slot]);
            rows.add(values);
        }
        return rows;
    }
}
