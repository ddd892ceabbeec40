package dev.millrace.api.window;

/**
 * A window implemented by a user's class: at an instant it contains the rows whose times are after one bound and not
 * after another. Both bounds never decrease, and the later one is never after the instant. All times are in
 * nanoseconds.
 *
 * <p>Threads: a window belongs to one query and is called by one thread. Failure: an exception is counted; the window
 * then keeps its contents until the next instant.
 */
public interface TimeWindow
{
    /**
     * Returns the older bound.
     *
     * @param nowNs the instant
     * @return rows of this time or before are outside
     */
    long afterNs(long nowNs);

    /**
     * Returns the younger bound.
     *
     * @param nowNs the instant
     * @return rows of this time are the last ones inside; {@code nowNs} for a window that extends to the present
     */
    long untilNs(long nowNs);

    /**
     * Returns when a bound moves next if no row arrives. The engine does not request bounds between the two instants.
     *
     * @param nowNs    the instant
     * @param oldestNs time of the oldest row that is inside or waits to enter
     * @return an instant after {@code nowNs}, {@link Long#MAX_VALUE} when the bounds do not move
     */
    long nextNs(long nowNs, long oldestNs);
}
