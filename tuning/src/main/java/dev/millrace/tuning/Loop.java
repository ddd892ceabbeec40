package dev.millrace.tuning;

/**
 * A further loop that a workload is measured beside, in the same rounds; it puts out the same rows as the others, or
 * does a part of the work that puts out nothing.
 *
 * @param name  begins the names of its figures
 * @param pass  one pass over the data
 * @param tally what it has put out so far; null: it puts out nothing
 * @param rated name of the loop whose time is divided by this one's, {@link #ENGINE} for the engine; null: none
 */
record Loop(String name, Runnable pass, Tally tally, String rated)
{
    /** The engine's own name. */
    static final String ENGINE = "engine";

    /** Its figure of time. */
    String figure()
    {
        return name + "NsPerEvent";
    }

    /** Its figure of how many times of it another takes. */
    String ratio()
    {
        return "ratioTo" + Character.toUpperCase(name.charAt(0)) + name.substring(1);
    }
}
