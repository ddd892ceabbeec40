package dev.millrace.tuning.nexmark;

/** The input of a query, which determines how events are counted. */
public enum Feed
{
    /** Bids only. */
    BIDS,
    /** Persons, auctions and bids, a channel each. */
    SPLIT,
    /** Positions of cars. */
    POSITIONS;

    private static final int BIDS_A_MILLISECOND = 92;
    private static final int EVENTS_A_MILLISECOND = 100;

    /** Events per millisecond of event time: a stretch of a multiple of it ends between two milliseconds. */
    public int eventsAMillisecond()
    {
        return this == BIDS ? BIDS_A_MILLISECOND : EVENTS_A_MILLISECOND;
    }

    /**
     * Events per pass.
     *
     * @param data to replay
     */
    public int size(final NexmarkData data)
    {
        return this == BIDS ? data.bids : data.events;
    }

    /**
     * Time of an event.
     *
     * @param data  to replay
     * @param event number, continuing over the passes
     */
    public long timeNs(final NexmarkData data, final long event)
    {
        final int size = size(data);
        final int at = (int)(event % size);
        return (this == BIDS ? data.bidTime[at] : data.eventTimes[at]) + event / size * data.lengthNs();
    }
}
