package dev.millrace.tuning.burst;

/**
 * The cost of one burst.
 *
 * @param events             number of events
 * @param insertNs           time to write the events into batches, stamp them, and pass the batches on, without the
 *                           time inside the network
 * @param processNs          time inside the network
 * @param firstInToLastOutNs from the first event received to the last one published (and stored)
 * @param latencySumNs       over all events: from receipt of the event until it was published
 * @param leaveNs            time that the rows took later to leave the window
 * @param allocatedBytes     bytes that the thread has allocated, including those of leaving rows
 */
public record Burst(int events, long insertNs, long processNs, long firstInToLastOutNs, long latencySumNs, long leaveNs,
    long allocatedBytes)
{
    static final double NS_A_MS = 1e6;

    /** Mean latency of an event in milliseconds. */
    double latencyMs()
    {
        return latencySumNs / NS_A_MS / events;
    }

    /** Time of the thread that has the events, without the network, in milliseconds. */
    double insertMs()
    {
        return insertNs / NS_A_MS;
    }

    /** Time inside the network in milliseconds. */
    double processMs()
    {
        return processNs / NS_A_MS;
    }

    /** First in to last out in milliseconds. */
    double firstInToLastOutMs()
    {
        return firstInToLastOutNs / NS_A_MS;
    }
}
