package dev.millrace.tuning.statements;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.string.StringTable;
import java.util.Arrays;
import java.util.List;

/**
 * Hand-written evaluation of many statements: an array by symbol, and one by price, contain the statements that may
 * accept an event; accepted events are written into one batch.
 */
final class StatementsBaseline implements EventBatchSink
{
    private final StringTable strings = new StringTable(StringTable.Lifetime.HELD, VwapData.SYMBOLS);
    private final int[] symbols = new int[EventBatch.CAPACITY];
    private final int[][] bySymbol;
    private final int[][] byPrice;
    private final double[] above;
    private final EventBatch out;
    private final AlertCheck check;

    /**
     * @param statements conditions
     * @param names      of the symbols
     * @param output     schema of the output
     * @param check      receives it
     */
    StatementsBaseline(
        final List<StatementsData.Alert> statements, final String[] names, final BatchSchema output,
        final AlertCheck check)
    {
        this.check = check;
        out = new EventBatch(output);
        above = statements.stream().mapToDouble(StatementsData.Alert::above).toArray();
        final int[] ids = Arrays.stream(names).mapToInt(strings::literal).toArray();
        bySymbol = new int[strings.limit()][];
        byPrice = new int[VwapData.PRICES][];
        Arrays.fill(bySymbol, new int[0]);
        Arrays.fill(byPrice, new int[0]);
        for (int i = 0; i < statements.size(); i++)
        {
            final StatementsData.Alert alert = statements.get(i);
            if (alert.isRange())
            {
                for (int step = alert.lowStep(); step <= alert.highStep(); step++)
                {
                    byPrice[step] = with(byPrice[step], i);
                }
            }
            else
            {
                bySymbol[ids[alert.symbol()]] = with(bySymbol[ids[alert.symbol()]], i);
            }
        }
    }

    private static int[] with(final int[] list, final int statement)
    {
        final int[] longer = Arrays.copyOf(list, list.length + 1);
        longer[list.length] = statement;
        return longer;
    }

    @Override
    public void onBatch(final EventBatch in)
    {
        final double[] prices = in.doubles(1);
        final int n = in.size();
        in.texts(0).codes(strings, null, n, symbols);
        for (int i = 0; i < n; i++)
        {
            for (final int statement : bySymbol[symbols[i]])
            {
                if (prices[i] > above[statement])
                {
                    put(in, i);
                }
            }
            for (int k = byPrice[(int)(prices[i] * VwapData.PRICE_STEPS)].length; k > 0; k--)
            {
                put(in, i);
            }
        }
        flush();
    }

    private void put(final EventBatch in, final int i)
    {
        final int row = out.size();
        out.texts(0).showRow(in.texts(0), i, row);
        out.doubles(1)[row] = in.doubles(1)[i];
        out.ints(2)[row] = in.ints(2)[i];
        out.useTimestampPerRow()[row] = in.timestampNs(i);
        out.size(row + 1);
        if (row + 1 == EventBatch.CAPACITY)
        {
            flush();
        }
    }

    private void flush()
    {
        if (out.size() > 0)
        {
            check.onBatch(out);
            out.clear();
        }
    }
}
