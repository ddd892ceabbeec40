package dev.millrace.cql.testkit;

import dev.millrace.cql.testkit.interpreter.Interpreter;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Random statements of forms that were added to the language later. They have a separate random number generator, so
 * that existing seeds keep their statements. Not thread-safe.
 */
final class ExtendedStatements
{
    /** One in this number of seeds has such a statement. */
    private static final int ONE_IN = 7;
    private static final long SCATTER = 0x9E3779B97F4A7C15L;

    private final Random random;
    private final long seed;
    private final boolean wide;
    private final RandomExpressions expressions;
    private final RandomSources sources;
    private final List<Interpreter.Rule> views = new ArrayList<>();

    /** {@code wide}: whether the inputs have columns of every type. */
    ExtendedStatements(final long seed, final boolean wide)
    {
        this.seed = seed;
        // The first random numbers of adjacent seeds are similar.
        random = new Random(seed * SCATTER);
        this.wide = wide;
        expressions = new RandomExpressions(random, wide);
        sources = new RandomSources(random, wide);
    }

    /** Whether the seed has such a statement. */
    boolean isChosen()
    {
        return Math.floorMod(seed, ONE_IN) == ONE_IN / 2;
    }

    private String pick(final String... texts)
    {
        return texts[random.nextInt(texts.length)];
    }

    private boolean chance(final int percent)
    {
        return random.nextInt(100) < percent;
    }

    private String where()
    {
        return chance(40) ? " where " + expressions.condition(1, "S") : "";
    }

    private String streamed(final String body)
    {
        return switch (random.nextInt(5))
        {
            case 0 -> "IStream(" + body + ")";
            case 1 -> "DStream(" + body + ")";
            case 2 -> "RStream(" + body + ")";
            default -> body;
        };
    }

    /** Views that the statement reads, which precede it. */
    List<Interpreter.Rule> views()
    {
        return views;
    }

    String statement()
    {
        return switch (random.nextInt(4))
        {
            case 2 -> bounds();
            case 0 -> until();
            case 1 -> texts();
            default -> filtered();
        };
    }

    /** Rows with their own leave times. */
    private String until()
    {
        views.add(new Interpreter.Rule("w1", true, "select S.k, S.v, S.x, S.c, S.o, "
            + pick("S.element_time + (nvl(S.v, 3) - 2) * 500000000L", "S.element_time + nvl(S.k, 0) * 1000000000L",
                "to_timestamp(S.element_time + nvl(S.v, 1) * 250000000L)",
                "S.element_time / 3000000000L * 3000000000L + 3000000000L") + " from S" + where(),
            List.of("k", "v", "x", "c", "o", "e")));
        final RandomExpressions narrow = new RandomExpressions(random);
        final String from = " from w1 [range until e] as S";
        return streamed(switch (random.nextInt(4))
        {
            case 0 -> "select S.k, count(*) as n, " + narrow.aggregates("S") + from + " group by S.k";
            case 1 -> "select S.k, S.v, R.v as w" + from + ", R [now] as R where S.k = R.k";
            case 2 -> "select S.k, max(S.v) as m" + from + ", R [range 2] as R where S.k = R.k group by S.k";
            default -> "select " + narrow.list("S") + from;
        });
    }

    /** Bounds of windows. */
    private String bounds()
    {
        final boolean isSession = chance(30);
        final String window = isSession ? pick(" [session gap 2 partition by k]", " [session gap 1]")
            : " [range " + pick("1", "2", "3", "2500 milliseconds") + " slide " + pick("1", "2", "500 milliseconds")
                + "]";
        final String keys = window.contains("by k") || chance(70) ? pick("S.k", "S.k, S.c") : "";
        final String having = chance(25) ? " having " + pick("window_end() > to_timestamp(4000000000L)",
            "window_start() < to_timestamp(5000000000L) or count(*) > 1") : "";
        return streamed("select " + (keys.isEmpty() ? "" : keys + ", ") + pick("window_end() as e",
            "window_start() as b, window_end() as e", "window_end() - window_start() as d") + ", count(*) as n"
            + (chance(40) ? ", " + aggregate() + " as a0" : "") + " from S" + window + " as S" + where()
            + (keys.isEmpty() ? "" : " group by " + keys) + having);
    }

    /** Functions of regular expressions and substrings. */
    private String texts()
    {
        final String text = pick("S.c", "S.c || S.c", "S.c || \"-\" || S.k", expressions.chars(1, "S"));
        final String pattern = pick("\"a\"", "\"^(.)b?\"", "\"(a)|(b)\"", "\"[0-9]\"", "S.c", "\"(.)-(.?)\"");
        final String value = switch (random.nextInt(3))
        {
            case 0 -> "regexp_extract(" + text + ", " + pattern + (pattern.contains("(")
                ? pick("", ", 1", ", S.k - 1") : "") + ")";
            case 1 -> "regexp_replace(" + text + ", " + pattern + ", " + pick("\"x\"", "\"<$0>\"", "null", "S.c",
                pattern.contains("(") ? "\"$1$1\"" : "\"\\$\"") + ")";
            default -> "split_part(" + text + ", " + pick("\"a\"", "\"-\"", "\"ab\"", "S.c") + ", "
                + pick("1", "2", "-1", "S.k", "S.k - 1") + ")";
        };
        return chance(50) ? streamed("select S.k, " + value + " as t from " + sources.source("S", 6) + where())
            : streamed("select " + value + " as t, count(*) as n from " + sources.source("S", 6) + " group by "
                + value);
    }

    /** FILTER of aggregates. */
    private String filtered()
    {
        final String keys = pick("S.k", "S.c", "S.k, S.c", "");
        final String having = chance(25) ? " having count(*)" + filter() + pick(" > 1", " < 2", " = 0") : "";
        return streamed("select " + (keys.isEmpty() ? "" : keys + ", ") + "count(*)" + filter() + " as n, "
            + aggregate() + " as a0" + (chance(50) ? ", " + aggregate() + " as a1" : "") + " from "
            + sources.source("S", 6) + where() + (keys.isEmpty() ? "" : " group by " + keys) + having);
    }

    private String aggregate()
    {
        final String distinct = chance(20) ? "distinct " : "";
        final String call = chance(25)
            ? pick("mean", "sumOfSquares", "median") + "(" + distinct + pick("S.v", "S.x", "S.k") + ")"
            : chance(50) ? pick("sum", "avg") + "(" + distinct + pick("S.v", "S.x", expressions.integer(1, "S")) + ")"
            : pick("min", "max", "count") + "(" + distinct
                + pick("S.v", "S.c", wide ? "S.ts" : "S.x", wide ? "S.de" : "S.k") + ")";
        return chance(85) ? call + filter() : call;
    }

    private String filter()
    {
        return " filter (where " + (wide && chance(10) ? "S.ok" : expressions.condition(1, "S")) + ")";
    }
}
