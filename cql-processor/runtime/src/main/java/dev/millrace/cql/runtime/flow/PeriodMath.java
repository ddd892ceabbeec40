package dev.millrace.cql.runtime.flow;

/** Multiples of a period, starting at instant 0, and additions of times that saturate at the end of time. */
public final class PeriodMath
{
    private PeriodMath()
    {
    }

    /**
     * The smallest multiple at or after a time.
     *
     * @return multiple; {@link FlowTime#NEVER} if none exists
     */
    public static long up(final long timeNs, final long periodNs)
    {
        final long rest = Math.floorMod(timeNs, periodNs);
        return rest == 0 ? timeNs : plus(timeNs, periodNs - rest);
    }

    /**
     * A later time.
     *
     * @param lengthNs how much later
     * @return sum; {@link FlowTime#NEVER} when it overflows
     */
    public static long plus(final long timeNs, final long lengthNs)
    {
        final long sum = timeNs + lengthNs;
        return sum < timeNs ? FlowTime.NEVER : sum;
    }
}
