package dev.millrace.cql.planner;

import dev.millrace.cql.language.problem.RuleText;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The statements of the Signal Generation application. */
@Timeout(60)
class SignalGenerationTest
{
    /** View of the white paper, verbatim. */
    static final RuleText VIEW = new RuleText("s", true, """

            RStream(select T.symbol, T.lastPrice from StockTickStream[now] as T, symbolsRelation as R \
        where T.symbol = R.symbol)
          \
        """, List.of("symbol", "lastPrice"), "PARTITION_ORDERED", "T.symbol");

    /** Query of the white paper, verbatim. */
    static final RuleText PERC = RuleText.query("perc", """

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
        """).partitionOrdered("symbol");

    /** One row for each tick that ends at least four successive changes of more than 2 % in one direction. */
    static final RuleText TREND = RuleText.query("trend", """
        select symbol, lastPrice, percLastPrice
        from S MATCH_RECOGNIZE (
          PARTITION BY symbol
          MEASURES
            E.symbol as symbol,
            E.lastPrice as lastPrice,
            100*(E.lastPrice - D.lastPrice)/D.lastPrice as percLastPrice
          ALL MATCHES
          PATTERN (A B C D E)
          DEFINE
            B AS (100*(B.lastPrice - A.lastPrice)/A.lastPrice > 2.0
                  or 100*(B.lastPrice - A.lastPrice)/A.lastPrice < -2.0),
            C AS (B.lastPrice > A.lastPrice and 100*(C.lastPrice - B.lastPrice)/B.lastPrice > 2.0
                  or B.lastPrice < A.lastPrice and 100*(C.lastPrice - B.lastPrice)/B.lastPrice < -2.0),
            D AS (C.lastPrice > B.lastPrice and 100*(D.lastPrice - C.lastPrice)/C.lastPrice > 2.0
                  or C.lastPrice < B.lastPrice and 100*(D.lastPrice - C.lastPrice)/C.lastPrice < -2.0),
            E AS (D.lastPrice > C.lastPrice and 100*(E.lastPrice - D.lastPrice)/D.lastPrice > 2.0
                  or D.lastPrice < C.lastPrice and 100*(E.lastPrice - D.lastPrice)/D.lastPrice < -2.0)
        ) as T
        """).partitionOrdered("symbol");

    private static final String PERCENT = "((100.0 * ($1@0 - $1@1)) / $1@1)";
    private static final String PERC_PATTERN = """
            pattern all partition by [0] [symbol=$0@0, lastPrice=$1@0, percLastPrice=%1$s]
                row 0: any
                row 1: ((%1$s > 2.0) or (%1$s < -2.0))
              output stream proc.perc(symbol char, lastPrice double, percLastPrice double)
        """.formatted(PERCENT);
    private static final String CONTINUED =
        "((($1@1 > $1@2) and (%1$s > 2.0)) or (($1@1 < $1@2) and (%1$s < -2.0)))".formatted(PERCENT);
    private static final String TREND_PATTERN = """
            pattern all partition by [0] [symbol=$0@0, lastPrice=$1@0, percLastPrice=%1$s]
                row 0: any
                row 1: ((%1$s > 2.0) or (%1$s < -2.0))
                row 2: %2$s
                row 3: %2$s
                row 4: %2$s
              output stream proc.trend(symbol char, lastPrice double, percLastPrice double)
        """.formatted(PERCENT, CONTINUED);
    private static final String LOOKUP =
        "  lookup symbolsRelation on relation.$0 = $0 [symbol=$0, lastPrice=$1]\n";

    @Test
    void shouldPlanViewAndQueryOfTheWhitePaperVerbatim()
    {
        PlanFixture.rules(VIEW, PERC).plans(
            "query perc over StockTickStream PARTITION_ORDERED by symbol\n" + LOOKUP + PERC_PATTERN + """
            """);
    }

    @Test
    void shouldFuseBothQueriesOverOneView()
    {
        PlanFixture.rules(VIEW, PERC, TREND).plans(
            "query perc_trend over StockTickStream PARTITION_ORDERED by symbol\n" + LOOKUP + PERC_PATTERN +
            TREND_PATTERN + """
            """);
    }

    @Test
    void shouldPlanGroupedSumWithHaving()
    {
        PlanFixture.query("select p0, sum(p1) from SampleEvent group by p0 having sum(p1) >= 100000000").plans("""
            query q over SampleEvent ORDERED
              group by [$0] [sum($1) bigint] [p0=key0, column2=aggregate0] having (aggregate0 >= 100000000L)
                output relation proc.q(p0 char, column2 bigint)
            """);
    }
}
