package dev.millrace.cql.processor;

import dev.millrace.api.cache.Cache;
import dev.millrace.api.cache.CacheSettings;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.definition.ProcessorStage.Rule;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.network.spi.ProcessorProvider.InputChannel;
import java.util.List;
import java.util.Map;

/** The statements of the Signal Generation white paper, as text. */
final class SignalRules
{
    static final String FILE = "META-INF/wlevs/config.xml";
    static final String VIEW = "\n        RStream(select T.symbol, T.lastPrice from StockTickStream[now] as T, " +
        "symbolsRelation as R where T.symbol = R.symbol)\n      ";
    static final String QUERY = """

            select symbol, lastPrice, percLastPrice
            from S MATCH_RECOGNIZE (
              PARTITION BY symbol
              MEASURES
                B.symbol as symbol,
                B.lastPrice as lastPrice,
                100*(B.lastPrice - A.lastPrice)/A.lastPrice as percLastPrice
              ALL MATCHES
              PATTERN (A B)
              DEFINE
                B AS (100*(B.lastPrice - A.lastPrice)/A.lastPrice > 2.0
                      or 100*(B.lastPrice - A.lastPrice)/A.lastPrice < -2.0
                    )
            ) as T
        """;

    private SignalRules()
    {
    }

    static ProcessorStage stage(final Cache cache, final String query)
    {
        final CacheSettings settings =
            new CacheSettings("symbolsCache", PairPlan.SYMBOL, List.of("symbol"), 1_000_000, null);
        return new ProcessorStage("proc", "cql", List.of(
            new Rule("s", true, VIEW, List.of("symbol", "lastPrice"), "PARTITION_ORDERED", "T.symbol", true,
                new SourcePosition(FILE, 10, 16)),
            new Rule(PairPlan.QUERY, false, query, List.of(), "PARTITION_ORDERED", "symbol", true,
                new SourcePosition(FILE, 20, 16))),
            Map.of("symbolsRelation", new ProcessorStage.CacheSource(cache, settings)), 0, List.of(),
            new SourcePosition(FILE, 5, 3));
    }

    static Map<String, InputChannel> channels()
    {
        return Map.of(PairPlan.CHANNEL, new InputChannel(PairPlan.CHANNEL, PairPlan.TICK, false, true));
    }
}
