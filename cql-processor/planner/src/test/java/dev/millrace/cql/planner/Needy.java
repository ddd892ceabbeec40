package dev.millrace.cql.planner;

/** A class that is loaded where the class that it needs is missing. */
public final class Needy
{
    private Needy()
    {
    }

    /**
     * Called by a rule.
     *
     * @param needed missing
     * @return 1
     */
    public static int call(final Needed needed)
    {
        return 1;
    }
}
