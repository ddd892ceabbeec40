package dev.millrace.tuning;

/**
 * What one burst cost.
 *
 * @param events             how many
 * @param insertNs           what it took to write the events into batches, stamp them, and hand the batches over,
 *                           without the time inside the network
 * @param processNs          time inside the network
 * @param firstInToLastOutNs from the first event in hand to the last one published (and stored)
 * @param latencySumNs       over all events: from the event in hand until it was published
 * @param leaveNs            what it took later for the rows to leave the window
 * @param allocatedBytes     what the thread has allocated, leaving included
 */
record Burst(int events, long insertNs, long processNs, long firstInToLastOutNs, long latencySumNs, long leaveNs,
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
