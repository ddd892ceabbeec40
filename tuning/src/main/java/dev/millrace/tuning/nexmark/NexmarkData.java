package dev.millrace.tuning.nexmark;

import java.util.SplittableRandom;

/**
 * Events of an auction site: of 50 events one is a person, three are auctions and 46 are bids, with the ratios of the
 * Nexmark generator's defaults (half of the bids on one hot auction, three quarters by one hot bidder). A replay shifts
 * ids and times by {@link #persons}, {@link #auctions} and {@link #lengthNs()} a pass, so that no id repeats.
 *
 * <p>Made from a seed, so two objects of one seed are equal. Read-only once made. Times in nanoseconds from 0 on.
 */
public final class NexmarkData
{
    /** Kinds of events in {@link #kinds}. */
    public static final byte PERSON = 0;
    /** An auction. */
    public static final byte AUCTION = 1;
    /** A bid. */
    public static final byte BID = 2;
    /** The first id of persons and auctions. */
    public static final long FIRST_ID = 1_000;
    /** Cars on the roads of the positions. */
    public static final int CARS = 50_000;
    /** Event time between two events: 100,000 a second. */
    public static final long STEP_NS = 10_000;

    private static final int GROUP = 50;
    private static final int AUCTIONS_A_GROUP = 3;
    private static final int BIDS_A_GROUP = 46;
    private static final int ACTIVE = 100;
    private static final int ACTIVE_PERSONS = 1_000;
    private static final int AHEAD = 10;
    private static final int POOL = 10_000;
    private static final int HOT_CHANNELS = 4;
    private static final long MILLISECOND_NS = 1_000_000;

    /** Events in all, a multiple of 50. */
    public final int events;
    /** Persons among them. */
    public final int persons;
    /** Auctions among them. */
    public final int auctions;
    /** Bids among them. */
    public final int bids;

    final byte[] kinds;
    final int[] places;
    final long[] eventTimes;

    final long[] personId;
    final int[] personName;
    final int[] personCity;
    final int[] personState;
    final long[] personTime;

    final long[] auctionId;
    final long[] auctionTime;
    final long[] auctionExpires;
    final long[] auctionSeller;
    final long[] auctionCategory;
    final long[] auctionInitialBid;
    final long[] auctionReserve;
    final int[] auctionItem;
    final int[] auctionDescription;
    final int[] auctionExtra;

    final long[] bidAuction;
    final long[] bidBidder;
    final long[] bidPrice;
    final long[] bidTime;
    final int[] bidChannel;
    final int[] bidUrl;
    final int[] bidExtra;

    final String[] names;
    final String[] cities =
        "Phoenix,Los Angeles,San Francisco,Boise,Portland,Bend,Redmond,Seattle,Kent,Cheyenne".split(",");
    final String[] states = "AZ,CA,ID,OR,WA,WY".split(",");
    final String[] items;
    final String[] descriptions;
    final String[] extras;
    final String[] channels;
    final String[] urls;

    final int[] car;
    final int[] speed;
    final int[] road;
    final int[] direction;
    final int[] segment;
    final int[] position;

    /**
     * Generates the events.
     *
     * @param events       requested number, rounded down to a multiple of 50
     * @param milliseconds whether times are truncated to milliseconds, so that a hundred events have the same time
     * @param seed         of all random values
     */
    public NexmarkData(final int events, final boolean milliseconds, final long seed)
    {
        final int groups = events / GROUP;
        this.events = groups * GROUP;
        persons = groups;
        auctions = groups * AUCTIONS_A_GROUP;
        bids = groups * BIDS_A_GROUP;
        kinds = new byte[this.events];
        places = new int[this.events];
        eventTimes = new long[this.events];
        personId = new long[persons];
        personName = new int[persons];
        personCity = new int[persons];
        personState = new int[persons];
        personTime = new long[persons];
        auctionId = new long[auctions];
        auctionTime = new long[auctions];
        auctionExpires = new long[auctions];
        auctionSeller = new long[auctions];
        auctionCategory = new long[auctions];
        auctionInitialBid = new long[auctions];
        auctionReserve = new long[auctions];
        auctionItem = new int[auctions];
        auctionDescription = new int[auctions];
        auctionExtra = new int[auctions];
        bidAuction = new long[bids];
        bidBidder = new long[bids];
        bidPrice = new long[bids];
        bidTime = new long[bids];
        bidChannel = new int[bids];
        bidUrl = new int[bids];
        bidExtra = new int[bids];
        final SplittableRandom random = new SplittableRandom(seed);
        names = StringPool.pairs("Peter,Paul,Luke,John,Saul,Vicky,Kate,Julie,Sarah,Deiter,Walter",
            "Shultz,Abrams,Spencer,White,Bartels,Walton,Smith,Jones,Noris");
        items = StringPool.random(random, POOL, 16);
        descriptions = StringPool.random(random, POOL, 90);
        extras = StringPool.random(random, POOL, 64);
        channels = channels();
        urls = urls(random);
        makeEvents(random, milliseconds);
        car = new int[this.events];
        speed = new int[this.events];
        road = new int[this.events];
        direction = new int[this.events];
        segment = new int[this.events];
        position = new int[this.events];
        makePositions(random);
    }

    /** Event time of one pass. */
    public long lengthNs()
    {
        return events * STEP_NS;
    }

    /**
     * Number of the first event of a kind at or after an event, which is also how many of the kind come before it.
     *
     * @param kind  of {@link #kinds}
     * @param event from 0 to {@link #events}
     */
    int first(final byte kind, final int event)
    {
        final int group = event / GROUP;
        final int offset = event % GROUP;
        return switch (kind)
        {
            case PERSON -> group + Math.min(offset, 1);
            case AUCTION -> group * AUCTIONS_A_GROUP + Math.max(0, Math.min(offset - 1, AUCTIONS_A_GROUP));
            default -> group * BIDS_A_GROUP + Math.max(0, offset - 1 - AUCTIONS_A_GROUP);
        };
    }

    private static String[] channels()
    {
        final String[] texts = new String[POOL + HOT_CHANNELS];
        final String[] hot = {"Google", "Facebook", "Baidu", "Apple"};
        for (int i = 0; i < texts.length; i++)
        {
            texts[i] = i < HOT_CHANNELS ? hot[i] : "channel-" + (i - HOT_CHANNELS);
        }
        return texts;
    }

    /** One address a channel; nine of ten name the channel's number. */
    private static String[] urls(final SplittableRandom random)
    {
        final String[] texts = new String[POOL + HOT_CHANNELS];
        for (int i = 0; i < texts.length; i++)
        {
            final String page = "https://www.nexmark.com/" + StringPool.word(random) + '/' + StringPool.word(random) +
                '/' +
                StringPool.word(random) + "/item.htm?query=1";
            texts[i] = i < HOT_CHANNELS ? page :
                random.nextInt(10) == 0 ? page + "&x=" + i :
                page + "&channel_id=" + Math.abs(Integer.reverse(i - HOT_CHANNELS));
        }
        return texts;
    }

    private void makeEvents(final SplittableRandom random, final boolean milliseconds)
    {
        int person = 0;
        int auction = 0;
        int bid = 0;
        for (int i = 0; i < events; i++)
        {
            final long exact = i * STEP_NS;
            final long time = milliseconds ? exact / MILLISECOND_NS * MILLISECOND_NS : exact;
            final int offset = i % GROUP;
            eventTimes[i] = time;
            if (offset == 0)
            {
                kinds[i] = PERSON;
                places[i] = person;
                personTime[person] = time;
                makePerson(random, person++);
            }
            else if (offset <= AUCTIONS_A_GROUP)
            {
                kinds[i] = AUCTION;
                places[i] = auction;
                makeAuction(random, auction++, person, time);
            }
            else
            {
                kinds[i] = BID;
                places[i] = bid;
                makeBid(random, bid++, auction, person, time);
            }
        }
    }

    private void makePerson(final SplittableRandom random, final int at)
    {
        personId[at] = FIRST_ID + at;
        personName[at] = random.nextInt(names.length);
        personCity[at] = random.nextInt(cities.length);
        personState[at] = random.nextInt(states.length);
    }

    private void makeAuction(final SplittableRandom random, final int at, final int personsMade, final long time)
    {
        final long horizonMs = (long)ACTIVE * GROUP / AUCTIONS_A_GROUP * STEP_NS / MILLISECOND_NS;
        auctionId[at] = FIRST_ID + at;
        auctionTime[at] = time;
        auctionExpires[at] = time + MILLISECOND_NS * (1 + random.nextLong(Math.max(1, 2 * horizonMs)));
        auctionSeller[at] = person(random, personsMade, 0);
        auctionCategory[at] = 10 + random.nextInt(5);
        auctionInitialBid[at] = price(random);
        auctionReserve[at] = auctionInitialBid[at] + price(random);
        auctionItem[at] = random.nextInt(POOL);
        auctionDescription[at] = random.nextInt(POOL);
        auctionExtra[at] = random.nextInt(POOL);
    }

    private void makeBid(
        final SplittableRandom random, final int at, final int auctionsMade, final int personsMade, final long time)
    {
        final long last = auctionsMade - 1L;
        bidTime[at] = time;
        bidAuction[at] = FIRST_ID + (random.nextInt(2) > 0 ? last / ACTIVE * ACTIVE :
            Math.max(last - ACTIVE, 0) + random.nextLong(Math.min(ACTIVE, last) + 1 + AHEAD));
        bidBidder[at] = person(random, personsMade, 1);
        bidPrice[at] = price(random);
        final int channel =
            random.nextInt(2) > 0 ? random.nextInt(HOT_CHANNELS) : HOT_CHANNELS + random.nextInt(POOL);
        bidChannel[at] = channel;
        bidUrl[at] = channel;
        bidExtra[at] = random.nextInt(POOL);
    }

    /** Three of four are the hot one of the last hundred, others one of the last thousand or of ten to come. */
    private static long person(final SplittableRandom random, final int made, final int plus)
    {
        if (random.nextInt(4) > 0)
        {
            return FIRST_ID + (made - 1L) / ACTIVE * ACTIVE + plus;
        }
        final long active = Math.min(made, ACTIVE_PERSONS);
        return FIRST_ID + made - active + random.nextLong(active + AHEAD);
    }

    /** From 100 to 100,000,000, as many between 100 and 1,000 as between 1,000 and 10,000. */
    private static long price(final SplittableRandom random)
    {
        return Math.round(Math.pow(10.0, random.nextDouble() * 6.0) * 100.0);
    }

    /** Cars report in turn; sometimes a car stops for some turns. */
    private void makePositions(final SplittableRandom random)
    {
        final int length = 528_000;
        final int[] place = new int[CARS];
        final int[] pace = new int[CARS];
        final int[] stopped = new int[CARS];
        for (int i = 0; i < CARS; i++)
        {
            place[i] = random.nextInt(length);
            pace[i] = 20 + random.nextInt(80);
        }
        for (int i = 0; i < events; i++)
        {
            final int c = i % CARS;
            drive(random, c, pace, stopped);
            place[c] = (place[c] + pace[c] * 44) % length;
            car[i] = c;
            speed[i] = pace[c];
            road[i] = c % 4;
            direction[i] = c / 4 % 2;
            position[i] = place[c];
            segment[i] = place[c] / 5_280;
        }
    }

    private static void drive(final SplittableRandom random, final int car, final int[] pace, final int[] stopped)
    {
        if (stopped[car] > 0)
        {
            stopped[car]--;
            pace[car] = stopped[car] == 0 ? 40 : 0;
        }
        else if (random.nextInt(200) == 0)
        {
            stopped[car] = 4 + random.nextInt(4);
            pace[car] = 0;
        }
        else
        {
            pace[car] = Math.max(1, Math.min(100, pace[car] + random.nextInt(21) - 10));
        }
    }
}
