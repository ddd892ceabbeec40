package dev.millrace.tuning.nexmark;

import java.util.Arrays;

/** Baselines of the queries whose state grows with the keys of the bids: q15 to q19, x3prows. */
final class KeyBaselines
{
    private static final int LOW = 10_000;
    private static final int HIGH = 1_000_000;

    private KeyBaselines()
    {
    }

    private static int rank(final long price)
    {
        return price < LOW ? 1 : price < HIGH ? 2 : 3;
    }

    /** Counts of bids, distinct bidders and auctions, in four ranks of price, by day; q16 also by channel. */
    static final class Statistics extends QueryBaseline
    {
        private static final int RANKS = 4;

        private final boolean byChannel;
        private final TextMap channels = new TextMap();
        private final long[] counts;
        private final long[] bidders;
        private final long[] auctions;
        private final LongMap seenBidders = new LongMap();
        private final LongMap seenAuctions = new LongMap();
        private long minute;
        private final long[] minutes;

        Statistics(final NexmarkData data, final boolean byChannel)
        {
            super(data);
            this.byChannel = byChannel;
            final int groups = byChannel ? data.channels.length : 1;
            counts = new long[groups * RANKS];
            bidders = new long[groups * RANKS];
            auctions = new long[groups * RANKS];
            minutes = new long[groups];
        }

        @Override
        void bid(final int at, final long timeNs)
        {
            final int group = byChannel ? channels.number(channel(at)) : 0;
            final int first = group * RANKS;
            minute = timeNs / (60 * SECOND_NS);
            if (counts[first] > 0)
            {
                emit(group, timeNs);
                out.delete();
            }
            minutes[group] = Math.max(minutes[group], minute);
            final int rank = rank(data.bidPrice[at]);
            counts[first]++;
            counts[first + rank]++;
            count(seenBidders, bidderOf(at), group, rank, bidders);
            count(seenAuctions, auctionOf(at), group, rank, auctions);
            emit(group, timeNs);
            out.insert();
        }

        /** A bit for each rank in which the value was seen, and one for any rank. */
        private static void count(
            final LongMap seen, final long value, final int group, final int rank, final long[] distinct)
        {
            final long key = value << 14 | group;
            final int bits = Math.max(0, seen.get(key));
            final int now = bits | 1 | 1 << rank;
            if (now != bits)
            {
                distinct[group * RANKS] += (bits & 1) == 0 ? 1 : 0;
                distinct[group * RANKS + rank] += (bits >>> rank & 1) == 0 ? 1 : 0;
                seen.put(key, now);
            }
        }

        private void emit(final int group, final long timeNs)
        {
            if (byChannel)
            {
                out.text(channels.text(group));
            }
            out.number(timeNs / DAY_NS);
            if (byChannel)
            {
                out.number(minutes[group]);
            }
            emit(counts, group);
            emit(bidders, group);
            emit(auctions, group);
        }

        private void emit(final long[] values, final int group)
        {
            for (int i = 0; i < RANKS; i++)
            {
                out.number(values[group * RANKS + i]);
            }
        }
    }

    /** Counts by rank of price, minimum, maximum, mean and sum of each auction. */
    static final class AuctionStatistics extends QueryBaseline
    {
        private static final int ROW = 7;

        private final LongMap places = new LongMap();
        private long[] values = new long[ROW << 12];
        private int used;

        AuctionStatistics(final NexmarkData data)
        {
            super(data);
        }

        @Override
        void bid(final int at, final long timeNs)
        {
            final long auction = auctionOf(at);
            int place = places.get(auction);
            final boolean isNew = place < 0;
            if (isNew)
            {
                place = used++;
                values = used * ROW > values.length ? Arrays.copyOf(values, values.length * 2) : values;
                places.put(auction, place);
            }
            final int row = place * ROW;
            final long price = data.bidPrice[at];
            if (isNew)
            {
                values[row + 4] = price;
                values[row + 5] = price;
            }
            else
            {
                emit(auction, row, timeNs);
                out.delete();
                values[row + 4] = Math.min(values[row + 4], price);
                values[row + 5] = Math.max(values[row + 5], price);
            }
            values[row]++;
            values[row + rank(price)]++;
            values[row + 6] += price;
            emit(auction, row, timeNs);
            out.insert();
        }

        private void emit(final long auction, final int row, final long timeNs)
        {
            out.number(auction);
            out.number(timeNs / DAY_NS);
            for (int i = 0; i < 6; i++)
            {
                out.number(values[row + i]);
            }
            out.real((float)((double)values[row + 6] / values[row]));
            out.number(values[row + 6]);
        }
    }

    /** The columns of a bid: numbers in one array, references to strings in another. */
    private static final class Bids
    {
        static final int WIDTH = 4;
        static final int TEXTS = 3;
        static final int PRICE = 2;

        private Bids()
        {
        }

        static void write(final QueryBaseline loop, final int at, final long timeNs, final long[] values,
            final String[] texts, final int number)
        {
            final int row = number * WIDTH;
            values[row] = loop.auctionOf(at);
            values[row + 1] = loop.bidderOf(at);
            values[row + PRICE] = loop.data.bidPrice[at];
            values[row + 3] = timeNs;
            final int text = number * TEXTS;
            texts[text] = loop.channel(at);
            texts[text + 1] = loop.url(at);
            texts[text + 2] = loop.extra(at);
        }

        static void emit(final QueryBaseline loop, final long[] values, final String[] texts, final int number)
        {
            final int row = number * WIDTH;
            final int text = number * TEXTS;
            loop.out.number(values[row]);
            loop.out.number(values[row + 1]);
            loop.out.number(values[row + PRICE]);
            loop.out.text(texts[text]);
            loop.out.text(texts[text + 1]);
            loop.out.number(values[row + 3]);
            loop.out.text(texts[text + 2]);
        }
    }

    /** The last bid of each bidder on each auction. */
    static final class LastBid extends QueryBaseline
    {
        private final LongMap places = new LongMap();
        private long[] values = new long[Bids.WIDTH << 12];
        private String[] texts = new String[Bids.TEXTS << 12];
        private int used;

        LastBid(final NexmarkData data)
        {
            super(data);
        }

        @Override
        void bid(final int at, final long timeNs)
        {
            final long key = bidderOf(at) << 32 | auctionOf(at);
            int place = places.get(key);
            if (place < 0)
            {
                place = used++;
                values = used * Bids.WIDTH > values.length ? Arrays.copyOf(values, values.length * 2) : values;
                texts = used * Bids.TEXTS > texts.length ? Arrays.copyOf(texts, texts.length * 2) : texts;
                places.put(key, place);
            }
            else
            {
                Bids.emit(this, values, texts, place);
                out.delete();
            }
            Bids.write(this, at, timeNs, values, texts, place);
            Bids.emit(this, values, texts, place);
            out.insert();
        }
    }

    /** The ten highest bids of each auction. */
    static final class TopBids extends QueryBaseline
    {
        private static final int TOP = 10;

        private final LongMap places = new LongMap();
        private long[][] rows = new long[1 << 12][];
        private String[][] texts = new String[1 << 12][];
        private int[] sizes = new int[1 << 12];
        private int used;

        TopBids(final NexmarkData data)
        {
            super(data);
        }

        @Override
        void bid(final int at, final long timeNs)
        {
            final int place = place(auctionOf(at));
            final long[] top = rows[place];
            final String[] topTexts = texts[place];
            final int size = sizes[place];
            final long price = data.bidPrice[at];
            if (size == TOP && top[(TOP - 1) * Bids.WIDTH + Bids.PRICE] >= price)
            {
                return;
            }
            int to = size;
            while (to > 0 && top[(to - 1) * Bids.WIDTH + Bids.PRICE] < price)
            {
                to--;
            }
            System.arraycopy(top, to * Bids.WIDTH, top, (to + 1) * Bids.WIDTH, (size - to) * Bids.WIDTH);
            System.arraycopy(topTexts, to * Bids.TEXTS, topTexts, (to + 1) * Bids.TEXTS, (size - to) * Bids.TEXTS);
            Bids.write(this, at, timeNs, top, topTexts, to);
            if (size == TOP)
            {
                Bids.emit(this, top, topTexts, TOP);
                out.delete();
            }
            else
            {
                sizes[place]++;
            }
            Bids.emit(this, top, topTexts, to);
            out.insert();
        }

        private int place(final long auction)
        {
            int place = places.get(auction);
            if (place < 0)
            {
                place = used++;
                if (used > rows.length)
                {
                    rows = Arrays.copyOf(rows, used * 2);
                    texts = Arrays.copyOf(texts, used * 2);
                    sizes = Arrays.copyOf(sizes, used * 2);
                }
                rows[place] = new long[(TOP + 1) * Bids.WIDTH];
                texts[place] = new String[(TOP + 1) * Bids.TEXTS];
                places.put(auction, place);
            }
            return place;
        }
    }

    /** Mean of the last hundred bids on each auction. */
    static final class LastMean extends QueryBaseline
    {
        private static final int LAST = 100;

        private final LongMap places = new LongMap();
        private long[][] prices = new long[1 << 12][];
        private long[] sums = new long[1 << 12];
        private int[] counts = new int[1 << 12];
        private int used;

        LastMean(final NexmarkData data)
        {
            super(data);
        }

        @Override
        void bid(final int at, final long timeNs)
        {
            final long auction = auctionOf(at);
            int place = places.get(auction);
            if (place < 0)
            {
                place = newPlace(auction);
            }
            final int count = counts[place]++;
            final int slot = count % LAST;
            if (count > 0)
            {
                emit(auction, place, Math.min(count, LAST));
                out.delete();
            }
            if (slot == prices[place].length)
            {
                prices[place] = Arrays.copyOf(prices[place], Math.min(LAST, slot * 2));
            }
            sums[place] += data.bidPrice[at] - (count >= LAST ? prices[place][slot] : 0);
            prices[place][slot] = data.bidPrice[at];
            emit(auction, place, Math.min(count + 1, LAST));
            out.insert();
        }

        private int newPlace(final long auction)
        {
            final int place = used++;
            if (used > sums.length)
            {
                prices = Arrays.copyOf(prices, used * 2);
                sums = Arrays.copyOf(sums, used * 2);
                counts = Arrays.copyOf(counts, used * 2);
            }
            prices[place] = new long[4];
            places.put(auction, place);
            return place;
        }

        private void emit(final long auction, final int place, final int count)
        {
            out.number(auction);
            out.real((float)((double)sums[place] / count));
        }
    }
}
