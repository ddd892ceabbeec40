package dev.millrace.samples.signalgeneration.feed;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** The simulated market: the traded symbols and the monitored ones among them. */
public final class Market
{
    /** Number of traded symbols. */
    public static final int SYMBOLS = 1470;

    /** Number of monitored symbols. */
    public static final int MONITORED = 300;

    private static final long SEED = 20_261_120L;
    private static final String CONSONANTS = "BCDFGHKLMNPRSTVZ";
    private static final String VOWELS = "AEIOU";

    private Market()
    {
    }

    /**
     * All symbols, with three to five letters each.
     *
     * @return {@value #SYMBOLS} distinct symbols, always the same in the same order
     */
    public static List<String> symbols()
    {
        final Random random = new Random(SEED);
        final Set<String> symbols = new LinkedHashSet<>();
        while (symbols.size() < SYMBOLS)
        {
            final StringBuilder symbol = new StringBuilder();
            final int letters = 3 + random.nextInt(3);
            for (int i = 0; i < letters; i++)
            {
                final String from = i % 2 == 0 ? CONSONANTS : VOWELS;
                symbol.append(from.charAt(random.nextInt(from.length())));
            }
            symbols.add(symbol.toString());
        }
        return List.copyOf(symbols);
    }

    /**
     * The monitored symbols, distributed evenly over all symbols.
     *
     * @return {@value #MONITORED} of {@link #symbols()}
     */
    public static List<String> monitored()
    {
        final List<String> symbols = symbols();
        final List<String> monitored = new ArrayList<>(MONITORED);
        for (int i = 0; i < MONITORED; i++)
        {
            monitored.add(symbols.get(i * SYMBOLS / MONITORED));
        }
        return List.copyOf(monitored);
    }
}
