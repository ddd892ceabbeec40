package dev.millrace.loadgen;

/**
 * Decides how a sender thread waits: it sleeps, and spins the last of the wait, because a sleeper wakes up late. Time
 * for spinning is earned by a share of the time that passes and spent by spinning, so that many packets a second do
 * not take a processor, and many generators not the machine.
 *
 * <p>Threads: one. Units: nanoseconds of any clock that does not go backwards.
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
     * Begins with all that can be saved.
     *
     * @param longestNs spinning before one packet, and what can be saved for it
     * @param percent   of the time that may be spent on spinning, 0 to 100
     */
    SpinBudget(final long longestNs, final int percent)
    {
        this.longestNs = percent == 0 ? 0 : longestNs;
        this.percent = percent;
        creditNs = this.longestNs;
    }

    /**
     * What to do now.
     *
     * @param nowNs  time
     * @param waitNs until a packet is due, more than 0
     * @return how long to sleep, then ask again; 0 to spin once, then ask again
     */
    long sleepNs(final long nowNs, final long waitNs)
    {
        if (lastNs != Long.MIN_VALUE)
        {
            final long passedNs = nowNs - lastNs;
            // More than enough in so long a time, and nothing that could overflow.
            final long earnedNs = passedNs >= longestNs * ALL ? longestNs : passedNs * percent / ALL;
            creditNs = Math.max(0, Math.min(longestNs, creditNs + earnedNs - (isSpinning ? passedNs : 0)));
        }
        lastNs = nowNs;
        isSpinning = waitNs <= creditNs;
        return isSpinning ? 0 : waitNs - creditNs;
    }
}
