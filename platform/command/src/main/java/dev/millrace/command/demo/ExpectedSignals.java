package dev.millrace.command.demo;

import dev.millrace.command.demo.TickFile.Tick;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Computes in plain Java the number of signals and trends that the sample must emit. Shares no code with the engine: it
 * implements the two sentences of the white paper and no query language.
 *
 * <p>A <em>signal</em> is a tick of a watched symbol that differs by more than two percent from the previous tick of
 * that symbol. A <em>trend</em> is a tick that ends at least four such changes in succession, all in one direction.
 *
 * <p>Not thread-safe. Later rows continue from the prices of earlier rows.
 */
public final class ExpectedSignals
{
    private static final double SIGNAL_PERCENT = 2.0;
    private static final int TREND_CHANGES = 4;

    /** State of one symbol. */
    private static final class Symbol
    {
        double lastPrice = Double.NaN;
        int changesUp;
        int changesDown;
    }

    /**
     * The expected output.
     *
     * @param signals rows of query perc
     * @param trends  rows of query trend
     */
    public record Counts(long signals, long trends)
    {    }

    private final Set<String> watched;
    private final Map<String, Symbol> states = new HashMap<>();
    private long signals;
    private long trends;

    /** @param watched symbols in the cache */
    public ExpectedSignals(final Set<String> watched)
    {
        this.watched = Set.copyOf(watched);
    }

    /** Returns the totals so far. */
    public Counts counts()
    {
        return new Counts(signals, trends);
    }

    /**
     * Processes the rows of several connections that share no symbol. Each connection repeats its part of the file.
     *
     * @param parts    rows of each connection, once
     * @param rowsSent number of rows sent by each connection
     */
    public void play(final List<List<Tick>> parts, final List<Long> rowsSent)
    {
        for (int i = 0; i < rowsSent.size(); i++)
        {
            play(parts.get(i), rowsSent.get(i));
        }
    }

    /**
     * Processes the rows of one connection.
     *
     * @param part     its rows, once
     * @param rowsSent number of rows it has sent; after the last row, the first one follows again
     */
    public void play(final List<Tick> part, final long rowsSent)
    {
        if (part.isEmpty() && rowsSent > 0)
        {
            throw new IllegalArgumentException("rows were sent of an empty part, rowsSent=" + rowsSent);
        }
        final Symbol[] symbols = new Symbol[part.size()];
        final double[] prices = new double[part.size()];
        for (int i = 0; i < symbols.length; i++)
        {
            prices[i] = part.get(i).price();
            if (watched.contains(part.get(i).symbol()))
            {
                symbols[i] = states.computeIfAbsent(part.get(i).symbol(), name -> new Symbol());
            }
        }
        int row = 0;
        for (long sent = 0; sent < rowsSent; sent++)
        {
            final Symbol symbol = symbols[row];
            if (symbol != null)
            {
                final int changes = tick(symbol, prices[row]);
                signals += changes > 0 ? 1 : 0;
                trends += changes >= TREND_CHANGES ? 1 : 0;
            }
            row = row + 1 == symbols.length ? 0 : row + 1;
        }
    }

    /** Returns how many changes of one direction this tick ends; 0 when it is not a signal. */
    private static int tick(final Symbol symbol, final double price)
    {
        final double percent = 100 * (price - symbol.lastPrice) / symbol.lastPrice;
        symbol.lastPrice = price;
        symbol.changesUp = percent > SIGNAL_PERCENT ? symbol.changesUp + 1 : 0;
        symbol.changesDown = percent < -SIGNAL_PERCENT ? symbol.changesDown + 1 : 0;
        return Math.max(symbol.changesUp, symbol.changesDown);
    }

    /**
     * Divides the rows of the file as the load generator does with {@code test.split=symbol}: symbols are numbered in
     * the order of their first appearance, and symbol number n is sent on connection n modulo the number of
     * connections.
     *
     * @param ticks rows of the file
     * @return rows of each connection, in file order
     */
    public static List<List<Tick>> split(final List<Tick> ticks, final int connections)
    {
        final List<List<Tick>> parts = new ArrayList<>();
        for (int i = 0; i < connections; i++)
        {
            parts.add(new ArrayList<>());
        }
        final Map<String, Integer> numbers = new HashMap<>();
        for (final Tick tick : ticks)
        {
            numbers.putIfAbsent(tick.symbol(), numbers.size());
            final int number = numbers.get(tick.symbol());
            parts.get(number % connections).add(tick);
        }
        return parts;
    }
}
