package dev.millrace.tuning.harness;

import dev.millrace.api.string.StringTable;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Ticks as in the Signal Generation application: {@value #SYMBOLS} symbols, of which {@value #CACHED} are monitored,
 * and prices that move by more than two percent so often that about 5.85 % of the ticks emit a signal. Deterministic
 * for a seed. All ticks are different: with fewer than a million, the branch predictor would learn them.
 */
public final class TickData
{
    public static final int SYMBOLS = 1470;
    static final int CACHED = 300;
    public static final int EVENTS = 1 << 20;

    private static final double BIG_MOVES = 0.287;
    private static final double SMALL = 0.019;
    private static final double BIG = 0.021;

    public final String[] names = new String[SYMBOLS];
    public final int[] symbols = new int[EVENTS];
    public final double[] prices = new double[EVENTS];

    public TickData(final long seed)
    {
        final SplittableRandom random = new SplittableRandom(seed);
        final double[] last = new double[SYMBOLS];
        final double[] first = new double[SYMBOLS];
        for (int i = 0; i < SYMBOLS; i++)
        {
            names[i] = name(i);
            first[i] = random.nextDouble(10, 500);
            last[i] = first[i];
        }
        for (int i = 0; i < EVENTS; i++)
        {
            final int symbol = random.nextInt(SYMBOLS);
            final double size = random.nextDouble() < BIG_MOVES ? BIG + random.nextDouble() * 0.02 :
                random.nextDouble() * SMALL;
            final boolean up = last[symbol] < first[symbol] / 4 ||
                last[symbol] < first[symbol] * 4 && random.nextBoolean();
            last[symbol] *= up ? 1 + size : 1 - size;
            symbols[i] = symbol;
            prices[i] = last[symbol];
        }
    }

    /** Names of one to five letters. */
    private static String name(final int number)
    {
        final StringBuilder name = new StringBuilder();
        for (int rest = number * 7 + 3; rest > 0; rest /= 26)
        {
            name.append((char)('A' + rest % 26));
        }
        return name.append(number % 3 == 0 ? "" : number % 3 == 1 ? "X" : "YZ").append(number % 10).toString();
    }

    /**
     * The symbols of the ticks as codes.
     *
     * @param strings receives their names, in order
     */
    public int[] coded(final StringTable strings)
    {
        final int[] codes = new int[SYMBOLS];
        Arrays.setAll(codes, symbol -> strings.literal(names[symbol]));
        final int[] ids = new int[EVENTS];
        Arrays.setAll(ids, tick -> codes[symbols[tick]]);
        return ids;
    }

    /** Cached symbols are spread over all symbols. */
    public static boolean isCached(final int symbol)
    {
        return (symbol + 1) * CACHED / SYMBOLS > symbol * CACHED / SYMBOLS;
    }
}
