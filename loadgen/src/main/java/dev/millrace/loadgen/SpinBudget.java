package dev.millrace.loadgen;

/**
 * Decides how a sender thread waits: it sleeps, and spins for the end of the wait, because a sleeping thread wakes up
 * late. Elapsed time earns a percentage of spin time, and spinning consumes it, so that high packet rates do not occupy
 * a processor and many generators do not occupy the machine.
 *
 * <p>Not thread-safe. Units: nanoseconds of any monotonic clock.
 */
final class SpinBudget
{
    private static final int ALL = 100;

    private final long longestNs;
    private final int percent;
    private long creditNs;
    private long lastNs = Long.MIN_VALUE;
    private boolean isSpinning;

    /**
     * Starts with the maximum budget.
     *
     * @param longestNs maximum spin time before one packet, and maximum saved budget
     * @param percent   of elapsed time that may be spent spinning, 0 to 100
     */
    SpinBudget(final long longestNs, final int percent)
    {
        this.longestNs = percent == 0 ? 0 : longestNs;
        this.percent = percent;
        creditNs = this.longestNs;
    }

    /**
     * Returns the next action.
     *
     * @param nowNs  current time
     * @param waitNs time until a packet is due, more than 0
     * @return time to sleep before the next call; 0 to spin once before the next call
     */
    long sleepNs(final long nowNs, final long waitNs)
    {
        if (lastNs != Long.MIN_VALUE)
        {
            final long passedNs = nowNs - lastNs;
            // Cap the earned time for long intervals, which also avoids overflow.
            final long earnedNs = passedNs >= longestNs * ALL ? longestNs : passedNs * percent / ALL;
            creditNs = Math.max(0, Math.min(longestNs, creditNs + earnedNs - (isSpinning ? passedNs : 0)));
        }
        lastNs = nowNs;
        isSpinning = waitNs <= creditNs;
        return isSpinning ? 0 : waitNs - creditNs;
    }
}
