package dev.millrace.fuzz;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.cql.language.Catalog;
import dev.millrace.cql.language.problem.CqlException;
import dev.millrace.cql.language.problem.CqlProblem;
import dev.millrace.cql.language.problem.RuleText;
import dev.millrace.cql.planner.RulePlanner;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Source text of statements: parsed, validated and planned. Every refusal must have an error code of the language. */
public final class StatementFuzz
{
    private static final String INTERNAL_ERROR = "CQL-9999";
    private static final Catalog CATALOG = Catalog.builder()
        .stream("Ticks", EventType.tuple("Tick", new EventProperty("symbol", CqlType.CHAR),
            new EventProperty("price", CqlType.DOUBLE), new EventProperty("volume", CqlType.BIGINT),
            new EventProperty("ts", CqlType.TIMESTAMP)))
        .stream("S", EventType.tuple("S", new EventProperty("k", CqlType.INT), new EventProperty("v", CqlType.INT),
            new EventProperty("x", CqlType.FLOAT), new EventProperty("c", CqlType.CHAR),
            new EventProperty("b", CqlType.BYTE), new EventProperty("o", CqlType.BOOLEAN)))
        .build();

    private StatementFuzz()
    {
    }

    /**
     * Plans an input.
     *
     * @param data text in UTF-8
     */
    public static void fuzzerTestOneInput(final byte[] data)
    {
        final String text = new String(data, StandardCharsets.UTF_8);
        try
        {
            new RulePlanner().plan("fuzz", List.of(RuleText.query("q", text)), CATALOG);
        }
        catch (final CqlException e)
        {
            for (final CqlProblem problem : e.problems())
            {
                if (INTERNAL_ERROR.equals(problem.code()))
                {
                    throw new IllegalStateException("an internal error: " + problem, e);
                }
            }
        }
    }
}
