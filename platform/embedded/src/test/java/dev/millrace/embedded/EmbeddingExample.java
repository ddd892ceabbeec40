package dev.millrace.embedded;

import dev.millrace.network.definition.DeploymentException;

/** The example of docs/embedding.md. */
final class EmbeddingExample
{
    private EmbeddingExample()
    {
    }

    public static void main(final String[] arguments) throws DeploymentException
    {
        try (EmbeddedNetwork network = Millrace.builder("prices")
            .eventType("Trade", "symbol char(8), price double")
            .stream("trades", "Trade")
            .query("falls", """
                select f.symbol, f.high, f.low from trades match_recognize (
                  partition by symbol
                  measures A.symbol as symbol, A.price as high, B.price as low
                  pattern (A B) define B as B.price < A.price * 0.98) as f""")
            .onEvent("falls", fall -> System.out.println(fall.get("symbol") + " fell to " + fall.get("low")))
            .start())
        {
            network.send("trades", "ORCL", 61.5);
            network.send("trades", "IBM", 130.0);
            network.send("trades", "ORCL", 60.0);
        }
    }
}
