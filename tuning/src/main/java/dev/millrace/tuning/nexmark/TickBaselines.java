package dev.millrace.tuning.nexmark;

import java.util.Arrays;

/** Baselines of the queries over windows with a step: q5, q7, q8, q12, x12slide. */
final class TickBaselines
{
    private TickBaselines()
    {
    }

    /** Processes every multiple of a step, after the rows of exactly that time. */
    private abstract static class Stepped extends QueryBaseline
    {
        private final long stepNs;
        private long tickNs;

        Stepped(final NexmarkData data, final long stepNs)
        {
            super(data);
            this.stepNs = stepNs;
        }

        final void time(final long timeNs)
        {
            while (timeNs > tickNs)
            {
                tick();
                tickNs += stepNs;
            }
        }

        @Override
        final void advance(final long timeNs)
        {
            time(timeNs + 1);
        }

        abstract void tick();
    }

    /** The auctions with most bids in 10 s, every 2 s. */
    static final class HotItems extends Stepped
    {
        private static final int PANES = 6;

        private final long[][] panes = new long[PANES][1 << 12];
        private final int[] sizes = new int[PANES];
        private final LongMap counts = new LongMap();
        private int pane;
        private LongMap shown = new LongMap();
        private LongMap shownBefore = new LongMap();

        HotItems(final NexmarkData data)
        {
            super(data, 2 * SECOND_NS);
        }

        @Override
        void bid(final int at, final long timeNs)
        {
            time(timeNs);
            if (sizes[pane] == panes[pane].length)
            {
                panes[pane] = Arrays.copyOf(panes[pane], sizes[pane] * 2);
            }
            panes[pane][sizes[pane]++] = auctionOf(at);
        }

        @Override
        void tick()
        {
            for (int i = 0; i < sizes[pane]; i++)
            {
                counts.add(panes[pane][i], 1);
            }
            pane = (pane + 1) % PANES;
            for (int i = 0; i < sizes[pane]; i++)
            {
                if (counts.add(panes[pane][i], -1) == 0)
                {
                    counts.remove(panes[pane][i]);
                }
            }
            sizes[pane] = 0;
            int most = 0;
            for (int i = 0; i < counts.keys.length; i++)
            {
                most = counts.isUsed[i] ? Math.max(most, counts.values[i]) : most;
            }
            final LongMap last = shown;
            shown = shownBefore;
            shownBefore = last;
            shown.clear();
            for (int i = 0; i < counts.keys.length; i++)
            {
                if (counts.isUsed[i] && counts.values[i] == most)
                {
                    show(counts.keys[i], most);
                }
            }
        }

        private void show(final long auction, final int most)
        {
            shown.put(auction, most);
            if (shownBefore.get(auction) != most)
            {
                out.number(auction);
                out.number(most);
                out.insert();
            }
        }
    }

    /** The highest bids of each 10 s. */
    static final class HighestBid extends Stepped
    {
        private static final int WIDTH = 4;

        private long best = -1;
        private long[] rows = new long[WIDTH << 4];
        private String[] extras = new String[1 << 4];
        private int size;

        HighestBid(final NexmarkData data)
        {
            super(data, 10 * SECOND_NS);
        }

        @Override
        void bid(final int at, final long timeNs)
        {
            time(timeNs);
            final long price = data.bidPrice[at];
            if (price < best)
            {
                return;
            }
            if (price > best)
            {
                best = price;
                size = 0;
            }
            if (size == extras.length)
            {
                rows = Arrays.copyOf(rows, rows.length * 2);
                extras = Arrays.copyOf(extras, size * 2);
            }
            final int row = size * WIDTH;
            rows[row] = auctionOf(at);
            rows[row + 1] = price;
            rows[row + 2] = bidderOf(at);
            rows[row + 3] = timeNs;
            extras[size++] = extra(at);
        }

        @Override
        void tick()
        {
            for (int i = 0; i < size; i++)
            {
                final int row = i * WIDTH;
                out.number(rows[row]);
                out.number(rows[row + 1]);
                out.number(rows[row + 2]);
                out.number(rows[row + 3]);
                out.text(extras[i]);
                out.insert();
            }
            size = 0;
            best = -1;
        }
    }

    /** Persons who registered and offered something in the same 10 s. */
    static final class NewSellers extends Stepped
    {
        private final LongMap persons = new LongMap();
        private String[] names = new String[1 << 12];
        private final LongMap sellers = new LongMap();

        NewSellers(final NexmarkData data)
        {
            super(data, 10 * SECOND_NS);
        }

        @Override
        void person(final int at, final long timeNs)
        {
            time(timeNs);
            final int number = persons.size();
            names = number == names.length ? Arrays.copyOf(names, number * 2) : names;
            names[number] = data.names[data.personName[at]];
            persons.put(personId(at), number);
        }

        @Override
        void auction(final int at, final long timeNs)
        {
            time(timeNs);
            sellers.put(sellerOf(at), 1);
        }

        @Override
        void tick()
        {
            for (int i = 0; i < persons.keys.length; i++)
            {
                if (persons.isUsed[i] && sellers.get(persons.keys[i]) > 0)
                {
                    out.number(persons.keys[i]);
                    out.text(names[persons.values[i]]);
                    out.insert();
                }
            }
            persons.clear();
            sellers.clear();
        }
    }

    /** Bids of each bidder in each 10 s. */
    static final class Counts extends Stepped
    {
        private LongMap counts = new LongMap();
        private LongMap before = new LongMap();

        Counts(final NexmarkData data)
        {
            super(data, 10 * SECOND_NS);
        }

        @Override
        void bid(final int at, final long timeNs)
        {
            time(timeNs);
            counts.add(bidderOf(at), 1);
        }

        @Override
        void tick()
        {
            emit(before, false);
            emit(counts, true);
            final LongMap empty = before;
            empty.clear();
            before = counts;
            counts = empty;
        }

        private void emit(final LongMap rows, final boolean entering)
        {
            for (int i = 0; i < rows.keys.length; i++)
            {
                if (rows.isUsed[i])
                {
                    out.number(rows.keys[i]);
                    out.number(rows.values[i]);
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
    }

    /** Count and maximum by bidder of 10 s, every 100 ms: a pane per step, a queue of their maxima by bidder. */
    static final class Slide extends Stepped
    {
        private static final int PANES = 101;

        private final LongMap[] counts = new LongMap[PANES];
        private final LongMap[] greatest = new LongMap[PANES];
        private final LongMap places = new LongMap();
        private MonotonicQueue[] queues = new MonotonicQueue[1 << 12];
        private int[] sums = new int[1 << 12];
        private int[] free = new int[1 << 12];
        private int used;
        private int freeSize;
        private int pane;
        private long ticks;

        Slide(final NexmarkData data)
        {
            super(data, SECOND_NS / 10);
            Arrays.setAll(counts, i -> new LongMap());
            Arrays.setAll(greatest, i -> new LongMap());
        }

        @Override
        void bid(final int at, final long timeNs)
        {
            time(timeNs);
            final long bidder = bidderOf(at);
            final int price = (int)data.bidPrice[at];
            counts[pane].add(bidder, 1);
            if (greatest[pane].get(bidder) < price)
            {
                greatest[pane].put(bidder, price);
            }
        }

        @Override
        void tick()
        {
            ticks++;
            final LongMap entering = counts[pane];
            final LongMap maxima = greatest[pane];
            pane = (pane + 1) % PANES;
            final LongMap leaving = counts[pane];
            for (int i = 0; i < entering.keys.length; i++)
            {
                if (entering.isUsed[i])
                {
                    final long bidder = entering.keys[i];
                    change(bidder, entering.values[i], maxima.get(bidder), Math.max(0, leaving.get(bidder)));
                }
            }
            for (int i = 0; i < leaving.keys.length; i++)
            {
                if (leaving.isUsed[i] && entering.get(leaving.keys[i]) < 0)
                {
                    change(leaving.keys[i], 0, -1, leaving.values[i]);
                }
            }
            counts[pane].clear();
            greatest[pane].clear();
        }

        private void change(final long bidder, final int plus, final int max, final int minus)
        {
            int place = places.get(bidder);
            if (place < 0)
            {
                place = newPlace(bidder);
            }
            final MonotonicQueue queue = queues[place];
            if (sums[place] > 0)
            {
                emit(bidder, place);
                out.delete();
            }
            sums[place] += plus - minus;
            if (minus > 0)
            {
                queue.leave(ticks - PANES + 1);
            }
            if (plus > 0)
            {
                queue.push(max, ticks);
            }
            if (sums[place] > 0)
            {
                emit(bidder, place);
                out.insert();
            }
            else
            {
                queue.clear();
                places.remove(bidder);
                free[freeSize++] = place;
            }
        }

        private int newPlace(final long bidder)
        {
            final int place = freeSize > 0 ? free[--freeSize] : used++;
            if (place == queues.length)
            {
                queues = Arrays.copyOf(queues, place * 2);
                sums = Arrays.copyOf(sums, place * 2);
                free = Arrays.copyOf(free, place * 2);
            }
            if (queues[place] == null)
            {
                queues[place] = MonotonicQueue.greatest();
            }
            sums[place] = 0;
            places.put(bidder, place);
            return place;
        }

        private void emit(final long bidder, final int place)
        {
            out.number(bidder);
            out.number(sums[place]);
            out.number(queues[place].first());
        }
    }
}
