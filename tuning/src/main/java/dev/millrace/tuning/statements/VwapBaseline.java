package dev.millrace.tuning.statements;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.tuning.harness.RowWriter;
import dev.millrace.tuning.harness.SymbolCodes;

/**
 * Hand-written volume-weighted prices of 1,000 symbols. Over a period: one circular buffer of the events in it, and
 * sums by symbol; an event that leaves updates the output of its symbol, as one that enters does. Over a number of
 * events: a circular buffer per symbol. All rows are emitted in one batch.
 */
final class VwapBaseline implements EventBatchSink
{
    /** Words of a stored event: volume with its symbol in the upper bits, and turnover. */
    private static final int WORDS = 2;

    private final long rangeNs;
    private final int rowsPerSymbol;
    private final int mask;
    private final long[] times;
    private final long[] kept;
    private final int[] places;
    private final int[] counts;
    private final double[] turnovers;
    private final long[] volumes;
    private final RowWriter out;
    private int head;
    private int tail;

    /**
     * @param rangeNs       how long an event stays, 0 when events are counted
     * @param rowsPerSymbol number of events of a symbol that stay, or maximum number in the period, a power of two
     * @param symbols       number of symbols
     */
    VwapBaseline(final long rangeNs, final int rowsPerSymbol, final int symbols, final BatchSchema output,
        final EventBatchSink sink)
    {
        this.rangeNs = rangeNs;
        this.rowsPerSymbol = rowsPerSymbol;
        final int capacity = rangeNs > 0 ? rowsPerSymbol : rowsPerSymbol * (symbols + 1);
        mask = rowsPerSymbol - 1;
        times = new long[rangeNs > 0 ? capacity : 0];
        kept = new long[capacity * WORDS];
        places = new int[symbols + 1];
        counts = new int[symbols + 1];
        turnovers = new double[symbols + 1];
        volumes = new long[symbols + 1];
        out = new RowWriter(output, sink);
    }

    @Override
    public void onBatch(final EventBatch in)
    {
        if (rangeNs > 0)
        {
            period(in, in.size());
        }
        else
        {
            number(in, in.size());
        }
        out.flush();
    }

    private void period(final EventBatch in, final int n)
    {
        final int[] ids = in.texts(0).codes();
        final double[] prices = in.doubles(1);
        final int[] sizes = in.ints(2);
        final long[] stamps = in.timestampsNs();
        for (int i = 0; i < n; i++)
        {
            final long now = stamps[i];
            final int id = ids[i];
            final double turnover = prices[i] * sizes[i];
            boolean replaced = false;
            int old = 0;
            while (head != tail && times[head & mask] + rangeNs <= now)
            {
                old = (head & mask) * WORDS;
                final long dueNs = times[head & mask] + rangeNs;
                head++;
                final int oldId = (int)(kept[old] >>> Integer.SIZE);
                counts[oldId]--;
                turnovers[oldId] -= Double.longBitsToDouble(kept[old + 1]);
                volumes[oldId] -= (int)kept[old];
                replaced = dueNs == now & oldId == id;
                if (!replaced & counts[oldId] > 0)
                {
                    put(oldId, dueNs);
                }
            }
            final boolean same = replaced && (int)kept[old] == sizes[i] &&
                Double.longBitsToDouble(kept[old + 1]) == turnover;
            final int at = tail & mask;
            tail++;
            times[at] = now;
            kept[at * WORDS] = (long)id << Integer.SIZE | sizes[i];
            kept[at * WORDS + 1] = Double.doubleToRawLongBits(turnover);
            counts[id]++;
            turnovers[id] += turnover;
            volumes[id] += sizes[i];
            if (!same)
            {
                put(id, now);
            }
        }
    }

    private void number(final EventBatch in, final int n)
    {
        final int[] ids = in.texts(0).codes();
        final double[] prices = in.doubles(1);
        final int[] sizes = in.ints(2);
        final long[] stamps = in.timestampsNs();
        for (int i = 0; i < n; i++)
        {
            final int id = ids[i];
            final double turnover = prices[i] * sizes[i];
            final int place = places[id];
            final int at = (id * rowsPerSymbol + place) * WORDS;
            final double oldTurnover = Double.longBitsToDouble(kept[at + 1]);
            final long oldVolume = kept[at];
            places[id] = place + 1 == rowsPerSymbol ? 0 : place + 1;
            kept[at] = sizes[i];
            kept[at + 1] = Double.doubleToRawLongBits(turnover);
            turnovers[id] += turnover - oldTurnover;
            volumes[id] += sizes[i] - oldVolume;
            if (turnover != oldTurnover || sizes[i] != oldVolume)
            {
                put(id, stamps[i]);
            }
        }
    }

    private void put(final int id, final long timeNs)
    {
        final int row = out.add(timeNs);
        SymbolCodes.numbers(out.batch)[row] = id;
        out.batch.doubles(1)[row] = turnovers[id] / volumes[id];
        out.batch.ints(2)[row] = (int)volumes[id];
    }
}
