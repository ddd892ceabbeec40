package dev.millrace.embedded;

/**
 * Event processing in any Java process.
 *
 * <pre>{@code
 * try (EmbeddedNetwork network = Millrace.builder("prices")
 *     .eventType("Trade", "symbol char(8), price double")
 *     .stream("trades", "Trade")
 *     .query("averages", "select symbol, avg(price) as mean from trades[rows 100] group by symbol")
 *     .onEvent("averages", event -> show(event.get("symbol"), event.get("mean")))
 *     .start())
 * {
 *     network.send("trades", "ORCL", 61.5);
 * }
 * }</pre>
 */
public final class Millrace
{
    private Millrace()
    {
    }

    /**
     * Begins to describe a network.
     *
     * @param name of the application, for messages and names of threads
     * @return builder, confined to one thread
     */
    public static MillraceBuilder builder(final String name)
    {
        return new MillraceBuilder(name);
    }
}
