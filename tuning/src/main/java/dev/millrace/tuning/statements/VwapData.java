package dev.millrace.tuning.statements;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.string.StringTable;
import dev.millrace.cql.runtime.PipelineBindings;
import dev.millrace.tuning.harness.Events;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Market data as the clients of Esper's benchmark kit create them: {@value #SYMBOLS} symbols S0AA to S999A, a price and
 * a volume, all random; 100,000 events per second of event time. Prices are multiples of 1/64, so that sums are exact
 * in every order. Deterministic for a seed.
 */
final class VwapData implements Events
{
    static final int SYMBOLS = 1000;
    static final int EVENTS = 1 << 20;
    static final int STEP_NS = 10_000;
    static final EventType MARKET = EventType.tuple("MarketData", new EventProperty("symbol", CqlType.CHAR),
        new EventProperty("price", CqlType.DOUBLE), new EventProperty("volume", CqlType.INT));

    /** Steps of a price from one integer to the next. */
    static final int PRICE_STEPS = 64;
    /** Upper bound of prices, in steps. */
    static final int PRICES = 100 * PRICE_STEPS;

    private static final int WIDTH = 4;

    final String[] names = new String[SYMBOLS];
    final BatchSchema schema = new BatchSchema(MARKET);
    final StringTable strings = PipelineBindings.newStrings(MemoryAccount.NONE);
    private final int[] ids = new int[EVENTS];
    /** The symbols of the events; {@code null} when batches have codes of {@link #strings}. */
    private String[] symbols;
    private final double[] prices = new double[EVENTS];
    private final int[] volumes = new int[EVENTS];

    VwapData(final long seed)
    {
        final SplittableRandom random = new SplittableRandom(seed);
        final int[] codes = new int[SYMBOLS];
        for (int i = 0; i < SYMBOLS; i++)
        {
            names[i] = "S" + i + "A".repeat(WIDTH + 1 - ("S" + i).length());
            codes[i] = strings.literal(names[i]);
        }
        for (int i = 0; i < EVENTS; i++)
        {
            ids[i] = codes[random.nextInt(SYMBOLS)];
            prices[i] = random.nextInt(PRICE_STEPS, PRICES) / (double)PRICE_STEPS;
            volumes[i] = 1 + random.nextInt(1000);
        }
    }

    /** From now on, batches have symbols as strings, one object per symbol. */
    void useStrings()
    {
        symbols = Arrays.stream(ids).mapToObj(strings::string).map(String::intern).toArray(String[]::new);
    }

    @Override
    public int count()
    {
        return EVENTS;
    }

    @Override
    public long fill(final EventBatch batch, final int from, final int n, final long startNs)
    {
        if (symbols == null)
        {
            System.arraycopy(ids, from, batch.texts(0).writeCodes(strings), 0, n);
        }
        else
        {
            System.arraycopy(symbols, from, batch.texts(0).writeStrings(), 0, n);
            batch.texts(0).wroteStrings(n);
        }
        System.arraycopy(prices, from, batch.doubles(1), 0, n);
        System.arraycopy(volumes, from, batch.ints(2), 0, n);
        batch.size(n);
        return Events.stamp(batch, n, startNs, STEP_NS);
    }
}
