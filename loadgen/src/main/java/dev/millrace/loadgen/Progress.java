package dev.millrace.loadgen;

/**
 * Progress of a run.
 *
 * @param name             property file
 * @param elapsedSecs      since the start
 * @param offered          rows due so far
 * @param sent             rows written so far
 * @param offeredPerSec    rows due per second in the last interval
 * @param sentPerSec       rows written per second in the last interval
 * @param packetsPerSec    packets written per second in the last interval
 * @param writesPerSec     socket writes per second in the last interval
 * @param lagMs            current lag of the connection that is most behind
 * @param lagMaxMs         maximum lag of any packet so far
 * @param lagUsP50         median lag in the interval, microseconds; -1 without test.latencyStats
 * @param lagUsP99         99th percentile of the lag in the interval, microseconds; -1 without test.latencyStats
 * @param openConnections  number of open connections
 */
public record Progress(String name, double elapsedSecs, long offered, long sent, double offeredPerSec,
    double sentPerSec, double packetsPerSec, double writesPerSec, double lagMs, double lagMaxMs, long lagUsP50,
    long lagUsP99, int openConnections)
{
    /**
     * One line for people.
     *
     * @return string without line end
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
