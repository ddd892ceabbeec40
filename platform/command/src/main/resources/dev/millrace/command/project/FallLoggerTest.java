package @package@;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class FallLoggerTest
{
    @Test
    void shouldRememberTheLargestFall()
    {
        final FallLogger logger = new FallLogger();

        logger.onInsertEvent(fall("ORCL", 100, 95));
        logger.onInsertEvent(fall("IBM", 200, 180));
        logger.onInsertEvent(fall("ORCL", 95, 94));

        assertEquals(10.0, logger.largestPercent());
    }

    private static Fall fall(final String symbol, final double high, final double low)
    {
        final Fall fall = new Fall();
        fall.setSymbol(symbol);
        fall.setHigh(high);
        fall.setLow(low);
        return fall;
    }
}
