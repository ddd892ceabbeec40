package dev.millrace.command.recovery;

import dev.millrace.command.demo.ExpectedSignals;
import dev.millrace.command.demo.TickFile;
import dev.millrace.command.demo.TickFile.Tick;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The signals and trends of the sample, row by row. {@link ExpectedSignals} describes them; it only counts.
 */
final class SignalRows implements ExpectedRows
{
    static final String SIGNAL = "perc ";
    static final String TREND = "trend ";

    private static final double SIGNAL_PERCENT = 2.0;
    private static final int CHANGES = 4;

    private final TickFile ticks;
    private final List<List<Tick>> parts;
    private final long[] done;
    private final Map<String, Symbol> symbols = new HashMap<>();

    /** The last prices of a symbol, oldest first, and how many changes of one direction end with the last one. */
    private static final class Symbol
    {
        private final double[] prices = new double[CHANGES + 1];
        private int up;
        private int down;

        Symbol()
        {
            Arrays.fill(prices, Double.NaN);
        }

        void tick(final String name, final double price, final Receiver to)
        {
            final double percent = change(prices[CHANGES], price);
            System.arraycopy(prices, 1, prices, 0, CHANGES);
            prices[CHANGES] = price;
            up = percent > SIGNAL_PERCENT ? up + 1 : 0;
            down = percent < -SIGNAL_PERCENT ? down + 1 : 0;
            if (up > 0 || down > 0)
            {
                to.row(SIGNAL + name, price, percent);
            }
            if (up >= CHANGES || down >= CHANGES)
            {
                to.row(TREND + name, price, change(prices[0], price));
            }
        }

        private static double change(final double from, final double to)
        {
            return 100 * (to - from) / from;
        }
    }

    SignalRows(final TickFile ticks, final int connections)
    {
        this.ticks = ticks;
        parts = ExpectedSignals.split(ticks.ticks(), connections);
        done = new long[connections];
    }

    @Override
    public void advance(final int connection, final long rows, final Receiver to)
    {
        final List<Tick> part = parts.get(connection);
        for (; done[connection] < rows; done[connection]++)
        {
            final Tick tick = part.get((int)(done[connection] % part.size()));
            if (ticks.watched().contains(tick.symbol()))
            {
                symbols.computeIfAbsent(tick.symbol(), name -> new Symbol()).tick(tick.symbol(), tick.price(), to);
            }
        }
    }
}
