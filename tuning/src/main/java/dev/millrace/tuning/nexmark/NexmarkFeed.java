package dev.millrace.tuning.nexmark;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.event.CqlType;
import java.util.function.Consumer;

/**
 * Gives the events of a feed to channels, in batches of 256 events; where there are several channels, each also gets
 * the time up to which all have come. Texts are coded once, before anything is measured. One thread.
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
     * Makes a feed.
     *
     * @param data  to play
     * @param feed  which of it
     * @param lanes the channels: bids; or bids, auctions and persons; or positions
     */
    public NexmarkFeed(final NexmarkData data, final Feed feed, final Lane... lanes)
    {
        this.data = data;
        this.feed = feed;
        bids = feed == Feed.POSITIONS ? null : lanes[0].code(3, data.channels).code(4, data.urls).code(6, data.extras);
        auctions = feed != Feed.SPLIT ? null :
            lanes[1].code(1, data.items).code(2, data.descriptions).code(9, data.extras);
        persons = feed != Feed.SPLIT ? null :
            lanes[2].code(1, data.names).code(2, data.cities).code(3, data.states);
        positions = feed == Feed.POSITIONS ? lanes[0] : null;
    }

    /** A channel: a batch that is filled and where it goes. */
    public static final class Lane
    {
        private final EventBatch batch;
        private final Consumer<EventBatch> target;
        private final int[][] codes;
        private int size;
        private long lastNs = -1;

        /**
         * Makes a lane.
         *
         * @param schema of the channel
         * @param target takes batches, and empty ones that say the time
         */
        public Lane(final BatchSchema schema, final Consumer<EventBatch> target)
        {
            batch = new EventBatch(schema);
            this.target = target;
            codes = new int[schema.columnCount()][];
        }

        private Lane code(final int column, final TextPool pool)
        {
            codes[column] = new int[pool.size()];
            for (int i = 0; i < pool.size(); i++)
            {
                codes[column][i] = batch.schema().dictionary(column).idOf(pool.text(i));
            }
            return this;
        }

        private void number(final int column, final long value)
        {
            batch.longs(column)[size] = value;
        }

        private void text(final int column, final int number)
        {
            batch.ints(column)[size] = codes[column][number];
        }

        private void end(final long timeNs)
        {
            lastNs = timeNs;
            size++;
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

    /** Columns by name: $ char, * bigint, ~ float, / double, no mark int. */
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
     * Plays a stretch; the channels then know that everything before the next event has come.
     *
     * @param from first event, counted on over the passes
     * @param to   behind the last one
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
        final long auctionShift = pass * data.auctions;
        final long personShift = pass * data.persons;
        final long timeShift = pass * data.lengthNs();
        for (int i = 0; i < n; i++)
        {
            batch.longs(0)[i] = data.bidAuction[from + i] + auctionShift;
            batch.longs(1)[i] = data.bidBidder[from + i] + personShift;
            batch.longs(5)[i] = data.bidTime[from + i] + timeShift;
        }
        System.arraycopy(data.bidPrice, from, batch.longs(2), 0, n);
        text(3, data.bidChannel, from, n);
        text(4, data.bidUrl, from, n);
        text(6, data.bidExtra, from, n);
        bids.size = n;
        bids.lastNs = batch.longs(5)[n - 1];
    }

    private void text(final int column, final int[] numbers, final int from, final int n)
    {
        final int[] codes = bids.codes[column];
        final int[] ids = bids.batch.ints(column);
        for (int i = 0; i < n; i++)
        {
            ids[i] = codes[numbers[from + i]];
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

    private void events(final int from, final int n, final long pass)
    {
        final long auctionShift = pass * data.auctions;
        final long personShift = pass * data.persons;
        final long timeShift = pass * data.lengthNs();
        for (int i = from; i < from + n; i++)
        {
            final int at = data.places[i];
            final long timeNs = data.eventTimes[i] + timeShift;
            switch (data.kinds[i])
            {
                case NexmarkData.PERSON -> person(at, timeNs, personShift);
                case NexmarkData.AUCTION -> auction(at, timeNs, auctionShift, personShift, timeShift);
                default -> bid(at, timeNs, auctionShift, personShift);
            }
        }
        persons.send();
        auctions.send();
        bids.send();
    }

    private void person(final int at, final long timeNs, final long personShift)
    {
        persons.number(0, data.personId[at] + personShift);
        persons.text(1, data.personName[at]);
        persons.text(2, data.personCity[at]);
        persons.text(3, data.personState[at]);
        persons.number(4, timeNs);
        persons.end(timeNs);
    }

    private void auction(
        final int at, final long timeNs, final long auctionShift, final long personShift, final long timeShift)
    {
        auctions.number(0, data.auctionId[at] + auctionShift);
        auctions.text(1, data.auctionItem[at]);
        auctions.text(2, data.auctionDescription[at]);
        auctions.number(3, data.auctionInitialBid[at]);
        auctions.number(4, data.auctionReserve[at]);
        auctions.number(5, timeNs);
        auctions.number(6, data.auctionExpires[at] + timeShift);
        auctions.number(7, data.auctionSeller[at] + personShift);
        auctions.number(8, data.auctionCategory[at]);
        auctions.text(9, data.auctionExtra[at]);
        auctions.end(timeNs);
    }

    private void bid(final int at, final long timeNs, final long auctionShift, final long personShift)
    {
        bids.number(0, data.bidAuction[at] + auctionShift);
        bids.number(1, data.bidBidder[at] + personShift);
        bids.number(2, data.bidPrice[at]);
        bids.text(3, data.bidChannel[at]);
        bids.text(4, data.bidUrl[at]);
        bids.number(5, timeNs);
        bids.text(6, data.bidExtra[at]);
        bids.end(timeNs);
    }
}
