package @package@;

import static dev.millrace.test.Row.row;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.millrace.test.ApplicationUnderTest;
import dev.millrace.test.MillraceTest;
import org.junit.jupiter.api.Test;

/** Runs the whole application without a server: the test sends trades instead of the adapter. */
@MillraceTest
class FallsTest
{
    private static void trades(final ApplicationUnderTest app, final String symbol, final double... prices)
    {
        for (final double price : prices)
        {
            app.send("trades", row("symbol", symbol, "price", price));
        }
    }

    @Test
    void shouldReportFourFallsInSuccession(final ApplicationUnderTest app)
    {
        trades(app, "ORCL", 99, 100, 98, 96, 94, 92);

        app.expect("FallStream", row("symbol", "ORCL", "high", 100, "low", 92));
        assertEquals(8.0, app.bean("output", FallLogger.class).largestPercent());
    }

    @Test
    void shouldNotMixSymbols(final ApplicationUnderTest app)
    {
        trades(app, "ORCL", 100, 98, 96);
        trades(app, "IBM", 94, 92, 90);

        app.expectNone("FallStream");
    }
}
