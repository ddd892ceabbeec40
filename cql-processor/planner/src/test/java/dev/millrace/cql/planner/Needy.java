package dev.millrace.cql.planner;

/** A class that is loaded without the class that it needs. */
public final class Needy
{
    private Needy()
    {
    }

    /** Called by a rule. */
    public static int call(final Needed needed)
    {
        return 1;
    }
}
