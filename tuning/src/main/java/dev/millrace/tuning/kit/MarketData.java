package dev.millrace.tuning.kit;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Events of the kit and their wire format: all of one size, symbols {@code S0AAA} to {@code S999A} when there are 1,000
 * of them, price and volume random.
 *
 * <pre>
 *   8 bytes when the event was due, nanoseconds of the server's clock
 *   8 bytes price, double
 *   4 bytes volume, int
 *   ticker in ASCII, padded with A; one character longer than the digits of the number of symbols
 * </pre>
 */
final class MarketData
{
    /** Type of the events that statements read from the stream {@code Market}. */
    static final EventType TYPE = EventType.tuple("MarketData", new EventProperty("ticker", CqlType.CHAR),
        new EventProperty("volume", CqlType.INT), new EventProperty("price", CqlType.DOUBLE));
    /** Type of the rows that statements may emit. */
    static final EventType RESULT = EventType.tuple("MarketResult", new EventProperty("ticker", CqlType.CHAR),
        new EventProperty("volume", CqlType.INT), new EventProperty("price", CqlType.DOUBLE),
        new EventProperty("vwap", CqlType.DOUBLE));
    static final int TICKER = 0;
    static final int VOLUME = 1;
    static final int PRICE = 2;
    /** Maximum number of symbols. */
    static final int MOST_SYMBOLS = 1_000_000;

    private static final int FIXED_BYTES = 8 + 8 + 4;
    private static final int PRICES = 100 * 64;
    private static final int VOLUMES = 1_000;
    private static final int DECIMAL = 10;

    private final int symbols;
    private final int tickerBytes;

    MarketData(final int symbols)
    {
        this.symbols = symbols;
        tickerBytes = Integer.toString(symbols).length() + 1;
    }

    int symbols()
    {
        return symbols;
    }

    /** Bytes of an event. */
    int eventBytes()
    {
        return FIXED_BYTES + tickerBytes;
    }

    /** Name of a symbol. */
    String ticker(final int symbol)
    {
        final String name = "S" + symbol;
        return name + "A".repeat(tickerBytes - name.length());
    }

    /** All names in bytes, one after another, for {@link #write}. */
    byte[] tickers()
    {
        final byte[] all = new byte[symbols * tickerBytes];
        for (int i = 0; i < symbols; i++)
        {
            System.arraycopy(ticker(i).getBytes(StandardCharsets.US_ASCII), 0, all, i * tickerBytes, tickerBytes);
        }
        return all;
    }

    /** A price from 64 random bits: a multiple of 1/64 from 1 on. */
    static double price(final long random)
    {
        return 1 + (random >>> 33) % PRICES / 64.0;
    }

    /** A volume from 64 random bits, from 1 on. */
    static int volume(final long random)
    {
        return 1 + (int)((random >>> 20 & 0xFFFF) % VOLUMES);
    }

    /** A symbol from 64 random bits. */
    int symbol(final long random)
    {
        return (int)((random & 0xFFFFF) * symbols >>> 20);
    }

    /** Writes an event. */
    void write(final ByteBuffer to, final long dueNs, final long random, final byte[] tickers)
    {
        to.putLong(dueNs).putDouble(price(random)).putInt(volume(random))
            .put(tickers, symbol(random) * tickerBytes, tickerBytes);
    }

    /**
     * The symbol of a ticker.
     *
     * @param bytes contains the ticker
     * @param at    index of its first byte
     * @return number, or -1 when these bytes are not a ticker
     */
    int symbolAt(final ByteBuffer bytes, final int at)
    {
        if (bytes.get(at) != 'S')
        {
            return -1;
        }
        int number = 0;
        int digits = 0;
        int i = 1;
        for (; i < tickerBytes && bytes.get(at + i) != 'A'; i++)
        {
            final int digit = bytes.get(at + i) - '0';
            if (digit < 0 || digit >= DECIMAL)
            {
                return -1;
            }
            number = number * DECIMAL + digit;
            digits++;
        }
        for (; i < tickerBytes; i++)
        {
            if (bytes.get(at + i) != 'A')
            {
                return -1;
            }
        }
        return digits == 0 || number >= symbols ? -1 : number;
    }
}
