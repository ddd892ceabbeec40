package dev.millrace.loadgen;

/**
 * How a run stands.
 *
 * @param name             property file
 * @param elapsedSecs      since the start
 * @param offered          rows due so far
 * @param sent             rows written so far
 * @param offeredPerSec    rows due in the last interval, a second
 * @param sentPerSec       rows written in the last interval, a second
 * @param packetsPerSec    packets written in the last interval, a second
 * @param writesPerSec     socket writes in the last interval, a second
 * @param lagMs            how late the latest connection is now
 * @param lagMaxMs         how late any packet was so far
 * @param lagUsP50         median lag in the interval, microseconds; -1 without test.latencyStats
 * @param lagUsP99         99th percentile of the lag in the interval, microseconds; -1 without test.latencyStats
 * @param openConnections  connections that are up
 */
public record Progress(String name, double elapsedSecs, long offered, long sent, double offeredPerSec,
    double sentPerSec, double packetsPerSec, double writesPerSec, double lagMs, double lagMaxMs, long lagUsP50,
    long lagUsP99, int openConnections)
{
    /**
     * One line for people.
     *
     * @return text without line end
     */
    public String line()
    {
        final String percentiles = lagUsP50 < 0 ? "" :
            String.format(java.util.Locale.ROOT, "  lag p50 %d us p99 %d us", lagUsP50, lagUsP99);
        return String.format(java.util.Locale.ROOT,
            "%6.1f s  offered %,d/s  sent %,d/s  packets %,d/s  writes %,d/s  total %,d  lag %.1f ms (max %.1f)%s",
            elapsedSecs, (long)offeredPerSec, (long)sentPerSec, (long)packetsPerSec, (long)writesPerSec, sent, lagMs,
            lagMaxMs, percentiles);
    }
}
