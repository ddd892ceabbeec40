package dev.millrace.tuning.nexmark;

import java.util.Arrays;

/** Baselines of the queries that join a bid with its auction while the auction is open: q4, q4w, q6, q9. */
final class AuctionBaselines
{
    private static final int TIME = 0;
    private static final int ID = 1;
    private static final int EXPIRES = 2;
    private static final int CATEGORY = 3;
    private static final int SELLER = 4;
    private static final int BEST = 5;
    private static final int BIDDER = 6;
    private static final int BID_TIME = 7;
    private static final int WIDTH = 8;

    private AuctionBaselines()
    {
    }

    /** Passes each bid to its auction; a bid may arrive before an auction of the same time. */
    private abstract static class Bidding extends QueryBaseline
    {
        final RowQueue auctions;
        private final LongMap places = new LongMap();
        private final long keepNs;
        private final int[] early = new int[1 << 10];
        private int earlySize;
        private long earlyNs;

        Bidding(final NexmarkData data, final long keepNs, final RowQueue auctions)
        {
            super(data);
            this.auctions = auctions;
            this.keepNs = keepNs;
        }

        @Override
        final void auction(final int at, final long timeNs)
        {
            advance(timeNs);
            final long id = auctionId(at);
            places.put(id, (int)auctions.tail);
            final int row = auctions.add();
            final long[] values = auctions.values;
            values[row + TIME] = timeNs;
            values[row + ID] = id;
            values[row + EXPIRES] = expiresAt(at);
            values[row + CATEGORY] = data.auctionCategory[at];
            values[row + SELLER] = sellerOf(at);
            values[row + BEST] = -1;
            enter(at);
            for (int i = 0; i < earlySize && earlyNs == timeNs; i++)
            {
                if (auctionOf(early[i]) == id)
                {
                    offer(row, early[i], timeNs);
                }
            }
        }

        @Override
        final void bid(final int at, final long timeNs)
        {
            advance(timeNs);
            final int place = places.get(auctionOf(at));
            if (place < 0)
            {
                if (earlyNs != timeNs)
                {
                    earlyNs = timeNs;
                    earlySize = 0;
                }
                early[earlySize++] = at;
                return;
            }
            final int row = auctions.at(place);
            if (timeNs <= auctions.values[row + EXPIRES])
            {
                offer(row, at, timeNs);
            }
        }

        @Override
        void advance(final long timeNs)
        {
            while (keepNs > 0 && !auctions.isEmpty() && auctions.first() + keepNs <= timeNs)
            {
                final int row = auctions.at(auctions.head);
                leave(row);
                places.remove(auctions.values[row + ID]);
                auctions.head++;
            }
        }

        /** An auction has become the last row. */
        void enter(final int at)
        {
        }

        abstract void offer(int row, int bid, long timeNs);

        void leave(final int row)
        {
        }
    }

    /** Mean of the highest bids by category. */
    static final class CategoryMean extends Bidding
    {
        private final double[] sums = new double[32];
        private final long[] counts = new long[32];

        CategoryMean(final NexmarkData data, final long keepNs)
        {
            super(data, keepNs, new RowQueue(WIDTH));
        }

        @Override
        void offer(final int row, final int bid, final long timeNs)
        {
            final long price = data.bidPrice[bid];
            if (price > auctions.values[row + BEST])
            {
                change(row, price);
            }
        }

        @Override
        void leave(final int row)
        {
            if (auctions.values[row + BEST] >= 0)
            {
                change(row, -1);
            }
        }

        private void change(final int row, final long price)
        {
            final int category = (int)auctions.values[row + CATEGORY];
            final long before = auctions.values[row + BEST];
            if (counts[category] > 0)
            {
                emit(category);
                out.delete();
            }
            if (before >= 0)
            {
                sums[category] -= before;
                counts[category]--;
            }
            if (price >= 0)
            {
                sums[category] += price;
                counts[category]++;
            }
            auctions.values[row + BEST] = price;
            if (counts[category] > 0)
            {
                emit(category);
                out.insert();
            }
        }

        private void emit(final int category)
        {
            out.number(category);
            out.real((float)(sums[category] / counts[category]));
        }
    }

    /**
     * Mean of the last ten improvements of a seller's auctions; several improvements of one instant and auction count
     * once.
     */
    static final class SellerMean extends Bidding
    {
        private static final int LAST = 10;
        private static final int ROW = LAST + 3;

        private final LongMap sellers = new LongMap();
        private long[] values = new long[ROW << 12];
        private int used;
        private int[] improved = new int[1 << 10];
        private int improvedSize;
        private long improvedNs;

        SellerMean(final NexmarkData data)
        {
            super(data, 0, new RowQueue(WIDTH));
        }

        @Override
        void offer(final int row, final int bid, final long timeNs)
        {
            close(timeNs);
            if (data.bidPrice[bid] > auctions.values[row + BEST])
            {
                auctions.values[row + BEST] = data.bidPrice[bid];
                for (int i = 0; i < improvedSize; i++)
                {
                    if (improved[i] == row)
                    {
                        return;
                    }
                }
                improved[improvedSize++] = row;
            }
        }

        @Override
        void advance(final long timeNs)
        {
            close(timeNs);
        }

        private void close(final long timeNs)
        {
            if (timeNs > improvedNs)
            {
                for (int i = 0; i < improvedSize; i++)
                {
                    add(auctions.values[improved[i] + SELLER], auctions.values[improved[i] + BEST]);
                }
                improvedSize = 0;
                improvedNs = timeNs;
            }
        }

        private void add(final long seller, final long price)
        {
            int place = sellers.get(seller);
            if (place < 0)
            {
                place = used++;
                values = used * ROW > values.length ? Arrays.copyOf(values, values.length * 2) : values;
                sellers.put(seller, place);
            }
            final int row = place * ROW;
            final long count = values[row];
            if (count > 0)
            {
                emit(seller, row);
                out.delete();
            }
            final int slot = row + 3 + (int)values[row + 2];
            values[row + 1] += price - values[slot];
            values[slot] = price;
            values[row + 2] = (values[row + 2] + 1) % LAST;
            values[row] = Math.min(LAST, count + 1);
            emit(seller, row);
            out.insert();
        }

        private void emit(final long seller, final int row)
        {
            out.number(seller);
            out.real((float)((double)values[row + 1] / values[row]));
        }
    }

    /** The highest bid of each auction; of two equal ones, the earlier. */
    static final class Winner extends Bidding
    {
        Winner(final NexmarkData data)
        {
            super(data, 0, new RowQueue(WIDTH, 1));
        }

        @Override
        void enter(final int at)
        {
            auctions.texts[auctions.textAt(auctions.tail - 1)] = data.items[data.auctionItem[at]];
        }

        @Override
        void offer(final int row, final int bid, final long timeNs)
        {
            final long price = data.bidPrice[bid];
            final long[] values = auctions.values;
            if (price > values[row + BEST])
            {
                if (values[row + BEST] >= 0)
                {
                    emit(row);
                    out.delete();
                }
                values[row + BEST] = price;
                values[row + BIDDER] = bidderOf(bid);
                values[row + BID_TIME] = timeNs;
                emit(row);
                out.insert();
            }
        }

        private void emit(final int row)
        {
            final long[] values = auctions.values;
            out.number(values[row + ID]);
            out.text(auctions.texts[row / WIDTH]);
            out.number(values[row + SELLER]);
            out.number(values[row + CATEGORY]);
            out.number(values[row + BIDDER]);
            out.number(values[row + BEST]);
            out.number(values[row + BID_TIME]);
            out.number(values[row + EXPIRES]);
        }
    }
}
