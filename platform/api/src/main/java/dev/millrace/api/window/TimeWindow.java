package dev.millrace.api.window;

/**
 * A window of a user's class: at an instant it holds the rows whose times are after one bound and not after another.
 * Both bounds never decrease, and the later one is never after the instant. All times are in nanoseconds.
 *
 * <p>Threads: one window belongs to one query and is called by one thread. Failure: what it throws is counted; the
 * window then keeps its contents until the next instant.
 */
public interface TimeWindow
{
    /**
     * The older bound.
     *
     * @param nowNs the instant
     * @return rows of this time or before are out
     */
    long afterNs(long nowNs);

    /**
     * The younger bound.
     *
     * @param nowNs the instant
     * @return rows of this time are the last ones in; {@code nowNs} for a window that reaches to the present
     */
    long untilNs(long nowNs);

    /**
     * When a bound moves next if no row comes. Bounds between the two instants are not asked for.
     *
     * @param nowNs    the instant
     * @param oldestNs time of the oldest row that is in or waits to get in
     * @return an instant after {@code nowNs}, {@link Long#MAX_VALUE} when the bounds stay
     */
    long nextNs(long nowNs, long oldestNs);
}
