package dev.millrace.tuning.harness;

/**
 * An additional loop that a workload measures in the same rounds; it emits the same rows as the others, or does a part
 * of the work that emits nothing.
 *
 * @param name  prefix of its figures
 * @param pass  one pass over the data
 * @param tally checksum of its output so far; null when it emits nothing
 * @param rated name of the loop whose time is divided by this one's, {@link #ENGINE} for the engine; null for none
 */
public record ComparedLoop(String name, Runnable pass, ResultChecksum tally, String rated)
{
    /** Name of the engine. */
    public static final String ENGINE = "engine";

    /** Name of its time figure. */
    String figure()
    {
        return name + "NsPerEvent";
    }

    /** Name of its ratio figure. */
    String ratio()
    {
        return "ratioTo" + Character.toUpperCase(name.charAt(0)) + name.substring(1);
    }
}
