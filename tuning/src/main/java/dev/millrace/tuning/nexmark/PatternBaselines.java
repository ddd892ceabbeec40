package dev.millrace.tuning.nexmark;

import java.util.Arrays;

/** Baselines of the patterns: q11, x8w, h2follow. */
final class PatternBaselines
{
    private PatternBaselines()
    {
    }

    /** Bids of a bidder with less than 100 ms between them; a session is emitted with the bidder's next bid. */
    static final class Sessions extends QueryBaseline
    {
        private static final long GAP_NS = SECOND_NS / 10;
        private static final int WIDTH = 3;

        private final LongMap places = new LongMap();
        private long[] values = new long[WIDTH << 12];
        private int used;

        Sessions(final NexmarkData data)
        {
            super(data);
        }

        @Override
        void bid(final int at, final long timeNs)
        {
            final long bidder = bidderOf(at);
            int place = places.get(bidder);
            if (place < 0)
            {
                place = used++;
                values = used * WIDTH > values.length ? Arrays.copyOf(values, values.length * 2) : values;
                places.put(bidder, place);
                values[place * WIDTH + 1] = timeNs;
            }
            final int row = place * WIDTH;
            if (values[row] > 0 && timeNs - values[row + 2] >= GAP_NS)
            {
                out.number(bidder);
                out.number(values[row]);
                out.number(values[row + 1]);
                out.number(values[row + 2]);
                out.insert();
                values[row] = 0;
                values[row + 1] = timeNs;
            }
            values[row]++;
            values[row + 2] = timeNs;
        }
    }

    /** Attempts of one key, oldest first; one that is complete waits for earlier ones. */
    private static final class Attempts
    {
        private static final byte COMPLETE = -1;

        private long[] startNs = new long[4];
        private long[] low = new long[4];
        private long[] auction = new long[4];
        private long[] high = new long[4];
        private byte[] states = new byte[4];
        private int size;
        private long last;

        private void add(final long timeNs, final long price, final long ofAuction)
        {
            if (size == states.length)
            {
                startNs = Arrays.copyOf(startNs, size * 2);
                low = Arrays.copyOf(low, size * 2);
                auction = Arrays.copyOf(auction, size * 2);
                high = Arrays.copyOf(high, size * 2);
                states = Arrays.copyOf(states, size * 2);
            }
            startNs[size] = timeNs;
            low[size] = price;
            auction[size] = ofAuction;
            states[size++] = 0;
        }

        private void keep(final int from, final int to)
        {
            startNs[to] = startNs[from];
            low[to] = low[from];
            auction[to] = auction[from];
            high[to] = high[from];
            states[to] = states[from];
        }
    }

    /** A pattern whose attempts have a state each; the match that starts first wins, those within it are discarded. */
    private abstract static class Attempting extends QueryBaseline
    {
        static final int DEAD = -2;
        static final int COMPLETE = Attempts.COMPLETE;

        Attempting(final NexmarkData data)
        {
            super(data);
        }

        /** The next state of an attempt. */
        abstract int step(int state, long price, long last, long low);

        /** Processes a row of a key; returns whether it ended a match. */
        final boolean row(final Attempts all, final long price, final long timeNs)
        {
            int kept = 0;
            boolean isMatch = false;
            for (int i = 0; i < all.size && !isMatch; i++)
            {
                int state = all.states[i];
                if (state != COMPLETE)
                {
                    state = timeNs - all.startNs[i] >= SECOND_NS ? DEAD : step(state, price, all.last, all.low[i]);
                    isMatch = state == COMPLETE;
                    all.high[i] = price;
                }
                if (state != DEAD)
                {
                    all.keep(i, kept);
                    all.states[kept++] = (byte)state;
                }
            }
            all.size = kept;
            settle(all);
            all.last = price;
            return isMatch;
        }

        /** Advances time for a key. */
        final void expire(final Attempts all, final long timeNs)
        {
            int kept = 0;
            for (int i = 0; i < all.size; i++)
            {
                if (all.states[i] == COMPLETE || timeNs - all.startNs[i] < SECOND_NS)
                {
                    all.keep(i, kept++);
                }
            }
            all.size = kept;
            settle(all);
        }

        private void settle(final Attempts all)
        {
            int done = 0;
            while (done < all.size && all.states[done] == COMPLETE)
            {
                out.number(all.auction[done]);
                out.number(all.low[done]);
                out.number(all.high[done]);
                out.insert();
                done++;
            }
            if (done > 0)
            {
                for (int i = done; i < all.size; i++)
                {
                    all.keep(i, i - done);
                }
                all.size -= done;
            }
        }
    }

    /** Down, up, down and above the first price, by channel. */
    static final class Shape extends Attempting
    {
        private static final int FIRST = 0;
        private static final int DOWN = 1;
        private static final int UP = 2;
        private static final int DOWN_AGAIN = 3;

        private final TextMap numbers = new TextMap();
        private final Attempts[] channels;

        Shape(final NexmarkData data)
        {
            super(data);
            channels = new Attempts[data.channels.length];
            Arrays.setAll(channels, i -> new Attempts());
        }

        @Override
        void bid(final int at, final long timeNs)
        {
            final Attempts all = channels[numbers.number(channel(at))];
            if (!row(all, data.bidPrice[at], timeNs))
            {
                all.add(timeNs, data.bidPrice[at], auctionOf(at));
            }
        }

        @Override
        int step(final int state, final long price, final long last, final long low)
        {
            if (price >= low)
            {
                return state == DOWN_AGAIN && price > low ? COMPLETE : DEAD;
            }
            if (price < last)
            {
                return state == FIRST || state == DOWN ? DOWN : DOWN_AGAIN;
            }
            return price > last && (state == DOWN || state == UP) ? UP : DEAD;
        }

        @Override
        void advance(final long timeNs)
        {
            for (final Attempts each : channels)
            {
                expire(each, timeNs);
            }
        }
    }

    /** A low bid and the first later one that is 10,000 times as high, by auction. */
    static final class Follow extends Attempting
    {
        private static final long LOW = 10_000;

        private final LongMap places = new LongMap();
        private Attempts[] attempts = new Attempts[1 << 12];
        private long[] keys = new long[1 << 12];
        private int[] free = new int[1 << 12];
        private int freeSize;
        private int used;
        private long sweptNs;

        Follow(final NexmarkData data)
        {
            super(data);
        }

        @Override
        void bid(final int at, final long timeNs)
        {
            if (timeNs - sweptNs >= SECOND_NS)
            {
                advance(timeNs);
            }
            final long price = data.bidPrice[at];
            int place = places.get(auctionOf(at));
            if (place >= 0)
            {
                row(attempts[place], price, timeNs);
            }
            if (price < LOW)
            {
                place = place < 0 ? newPlace(auctionOf(at)) : place;
                attempts[place].add(timeNs, price, auctionOf(at));
            }
        }

        @Override
        int step(final int state, final long price, final long last, final long low)
        {
            return price >= LOW && price > LOW * low ? COMPLETE : state;
        }

        /** Discards expired attempts, and auctions without attempts. */
        @Override
        void advance(final long timeNs)
        {
            sweptNs = timeNs;
            for (int place = 0; place < used; place++)
            {
                if (keys[place] >= 0)
                {
                    expire(attempts[place], timeNs);
                    if (attempts[place].size == 0)
                    {
                        places.remove(keys[place]);
                        keys[place] = -1;
                        free[freeSize++] = place;
                    }
                }
            }
        }

        private int newPlace(final long auction)
        {
            final int place = freeSize > 0 ? free[--freeSize] : used++;
            if (place == keys.length)
            {
                attempts = Arrays.copyOf(attempts, place * 2);
                keys = Arrays.copyOf(keys, place * 2);
                free = Arrays.copyOf(free, place * 2);
            }
            if (attempts[place] == null)
            {
                attempts[place] = new Attempts();
            }
            keys[place] = auction;
            places.put(auction, place);
            return place;
        }
    }
}
