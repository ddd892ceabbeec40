package dev.millrace.tuning.nexmark;

/**
 * A query written by hand. It reads the numbers of the data without a copy, gets the same String objects as the engine,
 * looked up by number as the feed does, and puts its rows into {@link ResultRows}; a subclass processes the events that
 * it needs. The loop computes functions of strings for each row, as the query does. Not thread-safe.
 */
public abstract class QueryBaseline
{
    static final long SECOND_NS = 1_000_000_000L;
    static final long DAY_NS = 86_400L * SECOND_NS;

    final NexmarkData data;
    final ResultRows out = new ResultRows();
    private long auctionShift;
    private long personShift;
    private long timeShift;

    QueryBaseline(final NexmarkData data)
    {
        this.data = data;
    }

    void person(final int at, final long timeNs)
    {
    }

    void auction(final int at, final long timeNs)
    {
    }

    void bid(final int at, final long timeNs)
    {
    }

    void position(final int at, final long timeNs)
    {
    }

    /** All events up to and including a time have arrived. */
    void advance(final long timeNs)
    {
    }

    /** Its output. */
    public final ResultRows out()
    {
        return out;
    }

    final long auctionOf(final int bid)
    {
        return data.bidAuction[bid] + auctionShift;
    }

    final long bidderOf(final int bid)
    {
        return data.bidBidder[bid] + personShift;
    }

    final String channel(final int bid)
    {
        return data.channels[data.bidChannel[bid]];
    }

    final String url(final int bid)
    {
        return data.urls[data.bidUrl[bid]];
    }

    final String extra(final int bid)
    {
        return data.extras[data.bidExtra[bid]];
    }

    final long auctionId(final int auction)
    {
        return data.auctionId[auction] + auctionShift;
    }

    final long sellerOf(final int auction)
    {
        return data.auctionSeller[auction] + personShift;
    }

    final long expiresAt(final int auction)
    {
        return data.auctionExpires[auction] + timeShift;
    }

    final long personId(final int person)
    {
        return data.personId[person] + personShift;
    }

    /**
     * Plays a stretch of the feed. After the end of the data it starts again, with later ids and times.
     *
     * @param feed determines how events are counted
     * @param from first event
     * @param to   after the last one
     */
    public final void play(final Feed feed, final long from, final long to)
    {
        final int size = feed.size(data);
        for (long next = from; next < to;)
        {
            final int at = (int)(next % size);
            final long pass = next / size;
            final int end = (int)Math.min(at + (to - next), size);
            auctionShift = pass * data.auctions;
            personShift = pass * data.persons;
            timeShift = pass * data.lengthNs();
            switch (feed)
            {
                case BIDS -> bids(at, end);
                case POSITIONS -> positions(at, end);
                default -> events(at, end);
            }
            next += end - at;
        }
        advance(feed.timeNs(data, to) - 1);
    }

    private void bids(final int from, final int to)
    {
        for (int i = from; i < to; i++)
        {
            bid(i, data.bidTime[i] + timeShift);
        }
    }

    private void positions(final int from, final int to)
    {
        for (int i = from; i < to; i++)
        {
            position(i, data.eventTimes[i] + timeShift);
        }
    }

    private void events(final int from, final int to)
    {
        for (int i = from; i < to; i++)
        {
            final int at = data.places[i];
            final long timeNs = data.eventTimes[i] + timeShift;
            switch (data.kinds[i])
            {
                case NexmarkData.PERSON -> person(at, timeNs);
                case NexmarkData.AUCTION -> auction(at, timeNs);
                default -> bid(at, timeNs);
            }
        }
    }
}
