package dev.millrace.command.demo;

import dev.millrace.command.demo.TickFile.Tick;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Computes in plain Java how many signals and trends the sample must put out. Shares nothing with the engine: it knows
 * the two sentences of the white paper and no query language.
 *
 * <p>A <em>signal</em> is a tick of a watched symbol that is more than two percent away from the tick of that symbol
 * before it. A <em>trend</em> is a tick that ends at least four such changes in succession, all in one direction.
 *
 * <p>For one thread. What is played later goes on from the prices played before.
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
     * What must come out.
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

    /**
     * Begins with an application that has seen nothing.
     *
     * @param watched symbols in the cache
     */
    public ExpectedSignals(final Set<String> watched)
    {
        this.watched = Set.copyOf(watched);
    }

    /**
     * Everything played so far.
     *
     * @return sums
     */
    public Counts counts()
    {
        return new Counts(signals, trends);
    }

    /**
     * Plays what several connections have sent that share no symbol: each its own part of the file in a circle.
     *
     * @param parts    rows of each connection, once round
     * @param rowsSent how many rows each connection has sent
     */
    public void play(final List<List<Tick>> parts, final List<Long> rowsSent)
    {
        for (int i = 0; i < rowsSent.size(); i++)
        {
            play(parts.get(i), rowsSent.get(i));
        }
    }

    /**
     * Plays what one connection has sent.
     *
     * @param part     its rows, once round
     * @param rowsSent how many rows it has sent; after the last row comes the first again
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

    /** How many changes of one direction this tick ends; 0 when it is no signal. */
    private static int tick(final Symbol symbol, final double price)
    {
        final double percent = 100 * (price - symbol.lastPrice) / symbol.lastPrice;
        symbol.lastPrice = price;
        symbol.changesUp = percent > SIGNAL_PERCENT ? symbol.changesUp + 1 : 0;
        symbol.changesDown = percent < -SIGNAL_PERCENT ? symbol.changesDown + 1 : 0;
        return Math.max(symbol.changesUp, symbol.changesDown);
    }

    /**
     * Divides the rows of the file as the load generator does with {@code test.split=symbol}: the symbols are numbered
     * in the order in which they first appear, and symbol number n travels on connection n modulo the number of
     * connections.
     *
     * @param ticks       rows of the file
     * @param connections how many
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
