package dev.millrace.tuning.nexmark;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.event.CqlType;
import java.util.function.Consumer;

/**
 * Sends the events of a feed to channels, in batches of at most 256 events, and heartbeats with the time up to which
 * all events have been sent: with several channels after each batch, otherwise at the end of each range. Strings are
 * objects of a pool, as in a source that reuses its strings. Not thread-safe.
 */
public final class NexmarkFeed
{
    /** Type of a bid. */
    public static final EventType BID =
        type("Bid", "auction* bidder* price* channel$ url$ dt* extra$");
    /** Type of an auction. */
    public static final EventType AUCTION = type("Auction",
        "id* item$ descr$ initialBid* reserve* dt* expires* seller* category* extra$");
    /** Type of a person. */
    public static final EventType PERSON = type("Person", "id* name$ city$ state$ dt*");
    /** Type of a position. */
    public static final EventType POSITION = type("Position", "car speed road direction segment position dt*");

    private final NexmarkData data;
    private final Feed feed;
    private final Lane bids;
    private final Lane auctions;
    private final Lane persons;
    private final Lane positions;

    /**
     * @param data  events
     * @param feed  selects the kinds of events
     * @param lanes the channels: bids; or bids, auctions and persons; or positions
     */
    public NexmarkFeed(final NexmarkData data, final Feed feed, final Lane... lanes)
    {
        this.data = data;
        this.feed = feed;
        bids = feed == Feed.POSITIONS ? null : lanes[0].pool(3, data.channels).pool(4, data.urls).pool(6, data.extras);
        auctions = feed != Feed.SPLIT ? null :
            lanes[1].pool(1, data.items).pool(2, data.descriptions).pool(9, data.extras);
        persons = feed != Feed.SPLIT ? null :
            lanes[2].pool(1, data.names).pool(2, data.cities).pool(3, data.states);
        positions = feed == Feed.POSITIONS ? lanes[0] : null;
    }

    /** A channel: the batch that is filled, and its target. */
    public static final class Lane
    {
        private final EventBatch batch;
        private final Consumer<EventBatch> target;
        private final String[][] texts;
        private int size;
        private long lastNs = -1;

        /**
         * @param schema of the channel
         * @param target receives batches; an empty batch is a heartbeat
         */
        public Lane(final BatchSchema schema, final Consumer<EventBatch> target)
        {
            batch = new EventBatch(schema);
            this.target = target;
            texts = new String[schema.columnCount()][];
        }

        private Lane pool(final int column, final String[] pool)
        {
            texts[column] = pool;
            return this;
        }

        private void text(final int column, final int[] numbers, final int from, final int n)
        {
            final String[] known = texts[column];
            final String[] strings = batch.texts(column).writeStrings();
            for (int i = 0; i < n; i++)
            {
                strings[i] = known[numbers[from + i]];
            }
            batch.texts(column).wroteStrings(n);
        }

        private void filled(final int n, final long[] timesNs)
        {
            size = n;
            lastNs = timesNs[n - 1];
        }

        private void send()
        {
            if (size > 0)
            {
                batch.size(size);
                target.accept(batch);
                batch.clear();
                size = 0;
            }
        }

        private void heartbeat(final long timeNs)
        {
            if (timeNs > lastNs)
            {
                lastNs = timeNs;
                batch.clear();
                batch.baseTimestampNs(timeNs);
                target.accept(batch);
                batch.clear();
            }
        }
    }

    /** Creates a type from names of columns with a suffix per type: $ char, * bigint, ~ float, / double, none int. */
    public static EventType type(final String name, final String columns)
    {
        final String[] all = columns.split(" ");
        final EventProperty[] properties = new EventProperty[all.length];
        for (int i = 0; i < all.length; i++)
        {
            final int mark = "$*~/".indexOf(all[i].charAt(all[i].length() - 1));
            properties[i] = mark < 0 ? new EventProperty(all[i], CqlType.INT) :
                new EventProperty(all[i].substring(0, all[i].length() - 1),
                    new CqlType[]{CqlType.CHAR, CqlType.BIGINT, CqlType.FLOAT, CqlType.DOUBLE}[mark]);
        }
        return EventType.tuple(name, properties);
    }

    /**
     * Sends a range of events, then heartbeats, so that channels know that all events before the next one have arrived.
     *
     * @param from number of the first event, counted over all passes
     * @param to   number after that of the last event
     */
    public void play(final long from, final long to)
    {
        final int size = feed.size(data);
        for (long next = from; next < to;)
        {
            final int at = (int)(next % size);
            final int n = (int)Math.min(Math.min(EventBatch.CAPACITY, to - next), size - at);
            final long pass = next / size;
            switch (feed)
            {
                case BIDS ->
                {
                    bids(at, n, pass);
                    bids.send();
                }
                case POSITIONS ->
                {
                    positions(at, n, pass);
                    positions.send();
                }
                default -> events(at, n, pass);
            }
            next += n;
            if (feed == Feed.SPLIT)
            {
                heartbeat(feed.timeNs(data, next) - 1);
            }
        }
        heartbeat(feed.timeNs(data, to) - 1);
    }

    private void heartbeat(final long timeNs)
    {
        for (final Lane each : new Lane[]{persons, auctions, bids, positions})
        {
            if (each != null)
            {
                each.heartbeat(timeNs);
            }
        }
    }

    private void bids(final int from, final int n, final long pass)
    {
        final EventBatch batch = bids.batch;
        shifted(data.bidAuction, from, n, pass * data.auctions, batch.longs(0));
        shifted(data.bidBidder, from, n, pass * data.persons, batch.longs(1));
        shifted(data.bidTime, from, n, pass * data.lengthNs(), batch.longs(5));
        System.arraycopy(data.bidPrice, from, batch.longs(2), 0, n);
        bids.text(3, data.bidChannel, from, n);
        bids.text(4, data.bidUrl, from, n);
        bids.text(6, data.bidExtra, from, n);
        bids.filled(n, batch.longs(5));
    }

    private void auctions(final int from, final int n, final long pass)
    {
        final EventBatch batch = auctions.batch;
        shifted(data.auctionId, from, n, pass * data.auctions, batch.longs(0));
        auctions.text(1, data.auctionItem, from, n);
        auctions.text(2, data.auctionDescription, from, n);
        System.arraycopy(data.auctionInitialBid, from, batch.longs(3), 0, n);
        System.arraycopy(data.auctionReserve, from, batch.longs(4), 0, n);
        shifted(data.auctionTime, from, n, pass * data.lengthNs(), batch.longs(5));
        shifted(data.auctionExpires, from, n, pass * data.lengthNs(), batch.longs(6));
        shifted(data.auctionSeller, from, n, pass * data.persons, batch.longs(7));
        System.arraycopy(data.auctionCategory, from, batch.longs(8), 0, n);
        auctions.text(9, data.auctionExtra, from, n);
        auctions.filled(n, batch.longs(5));
    }

    private void persons(final int from, final int n, final long pass)
    {
        final EventBatch batch = persons.batch;
        shifted(data.personId, from, n, pass * data.persons, batch.longs(0));
        persons.text(1, data.personName, from, n);
        persons.text(2, data.personCity, from, n);
        persons.text(3, data.personState, from, n);
        shifted(data.personTime, from, n, pass * data.lengthNs(), batch.longs(4));
        persons.filled(n, batch.longs(4));
    }

    private static void shifted(final long[] values, final int from, final int n, final long shift, final long[] to)
    {
        for (int i = 0; i < n; i++)
        {
            to[i] = values[from + i] + shift;
        }
    }

    private void positions(final int from, final int n, final long pass)
    {
        final EventBatch batch = positions.batch;
        final int[][] columns = {data.car, data.speed, data.road, data.direction, data.segment, data.position};
        for (int column = 0; column < columns.length; column++)
        {
            System.arraycopy(columns[column], from, batch.ints(column), 0, n);
        }
        final long[] times = batch.longs(columns.length);
        final long shift = pass * data.lengthNs();
        for (int i = 0; i < n; i++)
        {
            times[i] = data.eventTimes[from + i] + shift;
        }
        positions.size = n;
        positions.lastNs = times[n - 1];
    }

    /** Events of one kind are adjacent, so the difference of their first indexes is their number in the range. */
    private void events(final int from, final int n, final long pass)
    {
        final int person = data.first(NexmarkData.PERSON, from);
        final int auction = data.first(NexmarkData.AUCTION, from);
        final int bid = data.first(NexmarkData.BID, from);
        final int personCount = data.first(NexmarkData.PERSON, from + n) - person;
        final int auctionCount = data.first(NexmarkData.AUCTION, from + n) - auction;
        if (personCount > 0)
        {
            persons(person, personCount, pass);
        }
        if (auctionCount > 0)
        {
            auctions(auction, auctionCount, pass);
        }
        if (personCount + auctionCount < n)
        {
            bids(bid, n - personCount - auctionCount, pass);
        }
        persons.send();
        auctions.send();
        bids.send();
    }
}
