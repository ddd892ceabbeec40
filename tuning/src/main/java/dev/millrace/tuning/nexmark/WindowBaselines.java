package dev.millrace.tuning.nexmark;

import java.util.Arrays;

/** Baselines of the queries over one sliding window of bids: x2avg, x4distinct, x6top, x11minmax, x13dist, h1having. */
final class WindowBaselines
{
    private WindowBaselines()
    {
    }

    /** Mean and sum, or the sum of channels with more than a number of bids, by channel of the last second. */
    static final class ChannelSums extends QueryBaseline
    {
        private final RowQueue rows = new RowQueue(3);
        private final TextMap channels = new TextMap();
        private final long[] sums;
        private final long[] counts;
        private final int least;
        private final boolean withMean;

        ChannelSums(final NexmarkData data, final int least, final boolean withMean)
        {
            super(data);
            this.least = least;
            this.withMean = withMean;
            sums = new long[data.channels.length];
            counts = new long[data.channels.length];
        }

        @Override
        void bid(final int at, final long timeNs)
        {
            advance(timeNs);
            final int channel = channels.number(channel(at));
            final int row = rows.add();
            rows.values[row] = timeNs;
            rows.values[row + 1] = channel;
            rows.values[row + 2] = data.bidPrice[at];
            change(channel, 1, data.bidPrice[at]);
        }

        @Override
        void advance(final long timeNs)
        {
            while (!rows.isEmpty() && rows.first() + SECOND_NS <= timeNs)
            {
                final int row = rows.at(rows.head++);
                change((int)rows.values[row + 1], -1, -rows.values[row + 2]);
            }
        }

        private void change(final int channel, final int count, final long price)
        {
            if (counts[channel] > least)
            {
                emit(channel);
                out.delete();
            }
            counts[channel] += count;
            sums[channel] += price;
            if (counts[channel] > least)
            {
                emit(channel);
                out.insert();
            }
        }

        private void emit(final int channel)
        {
            out.text(channels.text(channel));
            if (withMean)
            {
                out.real((float)((double)sums[channel] / counts[channel]));
            }
            out.number(sums[channel]);
        }
    }

    /** Distinct bidders by channel of the last second. */
    static final class DistinctBidders extends QueryBaseline
    {
        private static final int CHANNEL_BITS = 14;

        private final RowQueue rows = new RowQueue(2);
        private final TextMap channels = new TextMap();
        private final LongMap copies = new LongMap();
        private final int[] counts;

        DistinctBidders(final NexmarkData data)
        {
            super(data);
            counts = new int[data.channels.length];
        }

        @Override
        void bid(final int at, final long timeNs)
        {
            advance(timeNs);
            final int channel = channels.number(channel(at));
            final long key = bidderOf(at) << CHANNEL_BITS | channel;
            final int row = rows.add();
            rows.values[row] = timeNs;
            rows.values[row + 1] = key;
            if (copies.add(key, 1) == 1)
            {
                change(channel, 1);
            }
        }

        @Override
        void advance(final long timeNs)
        {
            while (!rows.isEmpty() && rows.first() + SECOND_NS <= timeNs)
            {
                final long key = rows.values[rows.at(rows.head++) + 1];
                if (copies.add(key, -1) == 0)
                {
                    copies.remove(key);
                    change((int)(key & (1 << CHANNEL_BITS) - 1), -1);
                }
            }
        }

        private void change(final int channel, final int by)
        {
            if (counts[channel] > 0)
            {
                emit(channel);
                out.delete();
            }
            counts[channel] += by;
            if (counts[channel] > 0)
            {
                emit(channel);
                out.insert();
            }
        }

        private void emit(final int channel)
        {
            out.text(channels.text(channel));
            out.number(counts[channel]);
        }
    }

    /** The bidders of the last second. */
    static final class Bidders extends QueryBaseline
    {
        private final RowQueue rows = new RowQueue(2);
        private final LongMap copies = new LongMap();

        Bidders(final NexmarkData data)
        {
            super(data);
        }

        @Override
        void bid(final int at, final long timeNs)
        {
            advance(timeNs);
            final long bidder = bidderOf(at);
            final int row = rows.add();
            rows.values[row] = timeNs;
            rows.values[row + 1] = bidder;
            if (copies.add(bidder, 1) == 1)
            {
                out.number(bidder);
                out.insert();
            }
        }

        @Override
        void advance(final long timeNs)
        {
            while (!rows.isEmpty() && rows.first() + SECOND_NS <= timeNs)
            {
                final long bidder = rows.values[rows.at(rows.head++) + 1];
                if (copies.add(bidder, -1) == 0)
                {
                    copies.remove(bidder);
                    out.number(bidder);
                    out.delete();
                }
            }
        }
    }

    /**
     * The first ten by price of the last second. Only bids that fewer than ten later ones exceed can become one of
     * them; they are sorted by price.
     */
    static final class TopOfSecond extends QueryBaseline
    {
        private static final int TOP = 10;
        private static final int WIDTH = 4;

        private long[] rows = new long[WIDTH << 10];
        private int[] beaten = new int[1 << 10];
        private int size;
        private final long[] shown = new long[TOP * WIDTH];
        private int shownSize;
        private boolean isChanged;
        private long nowNs;
        private long nextLeavesNs = Long.MAX_VALUE;

        TopOfSecond(final NexmarkData data)
        {
            super(data);
        }

        @Override
        void bid(final int at, final long timeNs)
        {
            time(timeNs);
            final long price = data.bidPrice[at];
            int to = size;
            int kept = size;
            while (to > 0 && rows[(to - 1) * WIDTH] < price)
            {
                to--;
                beaten[to]++;
            }
            for (int i = to; i < size; i++)
            {
                if (beaten[i] >= TOP)
                {
                    kept = drop(i);
                    break;
                }
            }
            size = kept;
            if (to < TOP)
            {
                isChanged = true;
            }
            insert(to, price, at, timeNs);
        }

        /** Removes those that ten others exceed, from an index on. */
        private int drop(final int from)
        {
            int kept = from;
            for (int i = from; i < size; i++)
            {
                if (beaten[i] < TOP)
                {
                    System.arraycopy(rows, i * WIDTH, rows, kept * WIDTH, WIDTH);
                    beaten[kept++] = beaten[i];
                }
            }
            return kept;
        }

        private void insert(final int to, final long price, final int at, final long timeNs)
        {
            if (size == beaten.length)
            {
                rows = Arrays.copyOf(rows, rows.length * 2);
                beaten = Arrays.copyOf(beaten, size * 2);
            }
            System.arraycopy(rows, to * WIDTH, rows, (to + 1) * WIDTH, (size - to) * WIDTH);
            System.arraycopy(beaten, to, beaten, to + 1, size - to);
            rows[to * WIDTH] = price;
            rows[to * WIDTH + 1] = auctionOf(at);
            rows[to * WIDTH + 2] = bidderOf(at);
            rows[to * WIDTH + 3] = timeNs;
            beaten[to] = 0;
            size++;
            nextLeavesNs = Math.min(nextLeavesNs, timeNs + SECOND_NS);
        }

        @Override
        void advance(final long timeNs)
        {
            if (timeNs >= nowNs)
            {
                time(timeNs);
                show();
            }
        }

        private void time(final long timeNs)
        {
            if (timeNs == nowNs)
            {
                return;
            }
            show();
            while (nextLeavesNs <= timeNs)
            {
                final long leavesNs = nextLeavesNs;
                leave(leavesNs);
                if (leavesNs < timeNs)
                {
                    show();
                }
            }
            nowNs = timeNs;
        }

        private void leave(final long timeNs)
        {
            int kept = 0;
            nextLeavesNs = Long.MAX_VALUE;
            for (int i = 0; i < size; i++)
            {
                final long leavesNs = rows[i * WIDTH + 3] + SECOND_NS;
                if (leavesNs <= timeNs)
                {
                    isChanged |= i < TOP;
                }
                else
                {
                    nextLeavesNs = Math.min(nextLeavesNs, leavesNs);
                    System.arraycopy(rows, i * WIDTH, rows, kept * WIDTH, WIDTH);
                    beaten[kept++] = beaten[i];
                }
            }
            size = kept;
        }

        /** Emits those that are new among the first ten. */
        private void show()
        {
            if (!isChanged)
            {
                return;
            }
            isChanged = false;
            final int now = Math.min(TOP, size);
            for (int i = 0; i < now; i++)
            {
                if (!isShown(i))
                {
                    out.number(rows[i * WIDTH + 1]);
                    out.number(rows[i * WIDTH + 2]);
                    out.number(rows[i * WIDTH]);
                    out.insert();
                }
            }
            System.arraycopy(rows, 0, shown, 0, now * WIDTH);
            shownSize = now;
        }

        private boolean isShown(final int row)
        {
            for (int i = 0; i < shownSize; i++)
            {
                if (Arrays.equals(rows, row * WIDTH, (row + 1) * WIDTH, shown, i * WIDTH, (i + 1) * WIDTH))
                {
                    return true;
                }
            }
            return false;
        }
    }

    /** Count, minimum, maximum and mean by bidder of the last ten seconds. */
    static final class Extremes extends QueryBaseline
    {
        private final LongMap places = new LongMap();
        private final RowQueue rows = new RowQueue(3);
        private MonotonicQueue[] least = new MonotonicQueue[1 << 12];
        private MonotonicQueue[] greatest = new MonotonicQueue[1 << 12];
        private long[] sums = new long[1 << 12];
        private long[] counts = new long[1 << 12];
        private long[] keys = new long[1 << 12];
        private int[] free = new int[1 << 12];
        private int freeSize;
        private int used;

        Extremes(final NexmarkData data)
        {
            super(data);
        }

        @Override
        void bid(final int at, final long timeNs)
        {
            advance(timeNs);
            final long bidder = bidderOf(at);
            int place = places.get(bidder);
            if (place < 0)
            {
                place = newPlace(bidder);
            }
            emit(place, false);
            final long price = data.bidPrice[at];
            final long number = rows.tail;
            final int row = rows.add();
            rows.values[row] = timeNs;
            rows.values[row + 1] = place;
            rows.values[row + 2] = price;
            counts[place]++;
            sums[place] += price;
            least[place].push(price, number);
            greatest[place].push(price, number);
            emit(place, true);
        }

        @Override
        void advance(final long timeNs)
        {
            while (!rows.isEmpty() && rows.first() + 10 * SECOND_NS <= timeNs)
            {
                final long number = rows.head++;
                final int row = rows.at(number);
                final int place = (int)rows.values[row + 1];
                emit(place, false);
                counts[place]--;
                sums[place] -= rows.values[row + 2];
                least[place].leave(number);
                greatest[place].leave(number);
                emit(place, true);
                if (counts[place] == 0)
                {
                    places.remove(keys[place]);
                    free[freeSize++] = place;
                }
            }
        }

        private int newPlace(final long bidder)
        {
            final int place = freeSize > 0 ? free[--freeSize] : used++;
            if (place == sums.length)
            {
                least = Arrays.copyOf(least, place * 2);
                greatest = Arrays.copyOf(greatest, place * 2);
                sums = Arrays.copyOf(sums, place * 2);
                counts = Arrays.copyOf(counts, place * 2);
                keys = Arrays.copyOf(keys, place * 2);
                free = Arrays.copyOf(free, place * 2);
            }
            if (least[place] == null)
            {
                least[place] = MonotonicQueue.least();
                greatest[place] = MonotonicQueue.greatest();
            }
            keys[place] = bidder;
            places.put(bidder, place);
            return place;
        }

        private void emit(final int place, final boolean entering)
        {
            if (counts[place] == 0)
            {
                return;
            }
            out.number(keys[place]);
            out.number(counts[place]);
            out.number(least[place].first());
            out.number(greatest[place].first());
            out.real((float)((double)sums[place] / counts[place]));
            if (entering)
            {
                out.insert();
            }
            else
            {
                out.delete();
            }
        }
    }
}
