package dev.millrace.cql.runtime.flow;

/** Multiples of a period, from instant 0; and sums of times that stop at the ends of time. */
public final class Ticks
{
    private Ticks()
    {
    }

    /**
     * The smallest multiple at or after a time.
     *
     * @param timeNs   time
     * @param periodNs of which multiples are looked for
     * @return multiple; {@link FlowTime#NEVER} when there is none
     */
    public static long up(final long timeNs, final long periodNs)
    {
        final long rest = Math.floorMod(timeNs, periodNs);
        return rest == 0 ? timeNs : plus(timeNs, periodNs - rest);
    }

    /**
     * A later time.
     *
     * @param timeNs   time
     * @param lengthNs how much later
     * @return sum; {@link FlowTime#NEVER} when it is beyond the end
     */
    public static long plus(final long timeNs, final long lengthNs)
    {
        final long sum = timeNs + lengthNs;
        return sum < timeNs ? FlowTime.NEVER : sum;
    }
}
