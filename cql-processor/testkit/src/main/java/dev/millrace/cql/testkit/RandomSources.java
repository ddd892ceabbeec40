package dev.millrace.cql.testkit;

import java.util.Random;

/** Random windows and sources of FROM. */
final class RandomSources
{
    private final Random random;
    private final boolean wide;

    RandomSources(final Random random, final boolean wide)
    {
        this.random = random;
        this.wide = wide;
    }

    private String pick(final String... texts)
    {
        return texts[random.nextInt(texts.length)];
    }

    private int number(final int low, final int high)
    {
        return low + random.nextInt(high - low + 1);
    }

    String time()
    {
        return random.nextInt(4) == 0 ? pick("500", "750", "1250") + " milliseconds"
            : number(1, 6) + pick("", "", " seconds", " second");
    }

    String window()
    {
        switch (random.nextInt(13))
        {
            case 0:
                return " [now]";
            case 1:
            case 2:
            case 3:
                return " [range " + time() + "]";
            case 4:
            case 5:
                return " [range " + time() + " slide " + time() + "]";
            case 6:
                return " [range " + (wide && random.nextBoolean()
                    ? pick("2 seconds", "1500 milliseconds", "interval \"0 00:00:03.00\" day to second") + " on ts"
                    : number(1, 5) + " on o") + "]";
            case 7:
                return " [rows " + number(1, 4) + "]";
            case 8:
                return " [rows " + number(1, 4) + " slide " + number(1, 4) + "]";
            case 9:
                return " [partition by " + keys() + " rows " + number(1, 3) + "]";
            case 10:
                return " [partition by " + keys() + " rows " + number(1, 3) + " range " + time()
                    + (random.nextBoolean() ? " slide " + time() : "") + "]";
            case 11:
                return " [range " + pick("1500000000 nanoseconds", "2000000 microseconds", "0.05 minutes", "2.5",
                    "1 hour", "1 day") + "]";
            default:
                return pick("", " [range unbounded]", " [session gap 2 partition by k]",
                    " [session gap 1250 milliseconds partition by k, c]", " [session gap 1]");
        }
    }

    private String keys()
    {
        return wide && random.nextInt(3) == 0 ? pick("ok", "de", "bi", "fl", "x", "iv, k") : pick("k", "c", "k, c");
    }

    /**
     * A window that does not depend on the order of rows within an instant, which is undefined for DStream and others.
     */
    String timed()
    {
        return pick("", " [now]", " [range " + time() + "]", " [range " + time() + " slide " + time() + "]",
            " [range unbounded]");
    }

    String source(final String name, final int relationOneIn)
    {
        return random.nextInt(relationOneIn) == 0 ? "T as " + name : name + window() + " as " + name;
    }
}
