package dev.millrace.tuning.nexmark;

import java.util.Arrays;

/** Baselines of the joins by a key: q3 and q20 over all events so far, x1join, x9three and x10outer over windows. */
final class JoinBaselines
{
    private JoinBaselines()
    {
    }

    /** Sellers of three states and their auctions of one category, in any order of arrival. */
    static final class LocalItems extends QueryBaseline
    {
        private static final int CATEGORY = 10;

        private final LongMap persons = new LongMap();
        private final LongMap waiting = new LongMap();
        private String[] rows = new String[3 << 12];
        private int used;
        private long[] auctions = new long[1 << 12];
        private int[] next = new int[1 << 12];
        private int auctionsUsed;

        LocalItems(final NexmarkData data)
        {
            super(data);
        }

        @Override
        void person(final int at, final long timeNs)
        {
            final String state = data.states[data.personState[at]];
            if (!state.equals("OR") && !state.equals("ID") && !state.equals("CA"))
            {
                return;
            }
            final int row = used++ * 3;
            rows = row + 3 > rows.length ? Arrays.copyOf(rows, rows.length * 2) : rows;
            rows[row] = data.names[data.personName[at]];
            rows[row + 1] = data.cities[data.personCity[at]];
            rows[row + 2] = state;
            persons.put(personId(at), row);
            for (int i = waiting.get(personId(at)); i >= 0; i = next[i])
            {
                emit(row, auctions[i]);
            }
        }

        @Override
        void auction(final int at, final long timeNs)
        {
            if (data.auctionCategory[at] != CATEGORY)
            {
                return;
            }
            final long seller = sellerOf(at);
            final int place = auctionsUsed++;
            if (auctionsUsed > auctions.length)
            {
                auctions = Arrays.copyOf(auctions, place * 2);
                next = Arrays.copyOf(next, place * 2);
            }
            auctions[place] = auctionId(at);
            next[place] = waiting.get(seller);
            waiting.put(seller, place);
            final int row = persons.get(seller);
            if (row >= 0)
            {
                emit(row, auctionId(at));
            }
        }

        private void emit(final int row, final long auction)
        {
            out.text(rows[row]);
            out.text(rows[row + 1]);
            out.text(rows[row + 2]);
            out.number(auction);
            out.insert();
        }
    }

    /** Bids and their auctions of one category, in any order of arrival. */
    static final class BidsOfCategory extends QueryBaseline
    {
        private static final int CATEGORY = 10;
        private static final int WIDTH = 5;
        private static final int TEXTS = 3;

        private final LongMap auctions = new LongMap();
        private final LongMap bids = new LongMap();
        private long[] auctionRows = new long[WIDTH << 12];
        private String[] auctionTexts = new String[TEXTS << 12];
        private long[] bidRows = new long[WIDTH << 12];
        private String[] bidTexts = new String[TEXTS << 12];
        private int auctionsUsed;
        private int bidsUsed;

        BidsOfCategory(final NexmarkData data)
        {
            super(data);
        }

        @Override
        void auction(final int at, final long timeNs)
        {
            if (data.auctionCategory[at] != CATEGORY)
            {
                return;
            }
            final int number = auctionsUsed++;
            if (auctionsUsed * WIDTH > auctionRows.length)
            {
                auctionRows = Arrays.copyOf(auctionRows, auctionRows.length * 2);
                auctionTexts = Arrays.copyOf(auctionTexts, auctionTexts.length * 2);
            }
            final int row = number * WIDTH;
            auctionRows[row] = data.auctionInitialBid[at];
            auctionRows[row + 1] = data.auctionReserve[at];
            auctionRows[row + 2] = timeNs;
            auctionRows[row + 3] = expiresAt(at);
            auctionRows[row + 4] = sellerOf(at);
            final int text = number * TEXTS;
            auctionTexts[text] = data.items[data.auctionItem[at]];
            auctionTexts[text + 1] = data.descriptions[data.auctionDescription[at]];
            auctionTexts[text + 2] = data.extras[data.auctionExtra[at]];
            auctions.put(auctionId(at), number);
            for (int bid = bids.get(auctionId(at)); bid >= 0; bid = (int)bidRows[bid * WIDTH + 4])
            {
                emit(bid, number);
            }
        }

        @Override
        void bid(final int at, final long timeNs)
        {
            final long auction = auctionOf(at);
            final int number = bidsUsed++;
            if (bidsUsed * WIDTH > bidRows.length)
            {
                bidRows = Arrays.copyOf(bidRows, bidRows.length * 2);
                bidTexts = Arrays.copyOf(bidTexts, bidTexts.length * 2);
            }
            final int row = number * WIDTH;
            bidRows[row] = auction;
            bidRows[row + 1] = bidderOf(at);
            bidRows[row + 2] = data.bidPrice[at];
            bidRows[row + 3] = timeNs;
            bidRows[row + 4] = bids.get(auction);
            final int text = number * TEXTS;
            bidTexts[text] = channel(at);
            bidTexts[text + 1] = url(at);
            bidTexts[text + 2] = extra(at);
            bids.put(auction, number);
            final int found = auctions.get(auction);
            if (found >= 0)
            {
                emit(number, found);
            }
        }

        private void emit(final int bid, final int auction)
        {
            final int row = bid * WIDTH;
            final int text = bid * TEXTS;
            out.number(bidRows[row]);
            out.number(bidRows[row + 1]);
            out.number(bidRows[row + 2]);
            out.text(bidTexts[text]);
            out.text(bidTexts[text + 1]);
            out.number(bidRows[row + 3]);
            out.text(bidTexts[text + 2]);
            out.text(auctionTexts[auction * TEXTS]);
            out.text(auctionTexts[auction * TEXTS + 1]);
            for (int i = 0; i < WIDTH; i++)
            {
                out.number(auctionRows[auction * WIDTH + i]);
            }
            out.number(CATEGORY);
            out.text(auctionTexts[auction * TEXTS + 2]);
            out.insert();
        }
    }

    /** Auctions and bids of a second, with the bids of an auction linked from the last one back. */
    private abstract static class Windows extends QueryBaseline
    {
        static final int TIME = 0;
        static final int ID = 1;
        static final int VALUE = 2;
        static final int CHAIN = 3;
        private static final int WIDTH = 4;

        final RowQueue auctions = new RowQueue(WIDTH);
        final RowQueue bids = new RowQueue(WIDTH);
        final LongMap auctionRows = new LongMap();
        private final LongMap lastBids = new LongMap();

        Windows(final NexmarkData data)
        {
            super(data);
        }

        final void expire(final long timeNs)
        {
            while (!auctions.isEmpty() && auctions.first() + SECOND_NS <= timeNs)
            {
                final long leavesNs = auctions.first() + SECOND_NS;
                expireBids(leavesNs);
                final long id = auctions.values[auctions.at(auctions.head++) + ID];
                auctionRows.remove(id);
                leave(id, leavesNs);
            }
            expireBids(timeNs);
        }

        private void expireBids(final long timeNs)
        {
            while (!bids.isEmpty() && bids.first() + SECOND_NS <= timeNs)
            {
                final long id = bids.values[bids.at(bids.head) + ID];
                if (lastBids.get(id) == (int)bids.head)
                {
                    lastBids.remove(id);
                }
                bids.head++;
            }
        }

        /** Called when an auction has left. */
        void leave(final long id, final long timeNs)
        {
        }

        final void addAuction(final int at, final long timeNs, final long value, final long chain)
        {
            final long id = auctionId(at);
            auctionRows.put(id, (int)auctions.tail);
            final int row = auctions.add();
            auctions.values[row + TIME] = timeNs;
            auctions.values[row + ID] = id;
            auctions.values[row + VALUE] = value;
            auctions.values[row + CHAIN] = chain;
        }

        final void addBid(final int at, final long timeNs)
        {
            final long id = auctionOf(at);
            final int before = lastBids.get(id);
            lastBids.put(id, (int)bids.tail);
            final int row = bids.add();
            bids.values[row + TIME] = timeNs;
            bids.values[row + ID] = id;
            bids.values[row + VALUE] = data.bidPrice[at];
            bids.values[row + CHAIN] = before;
        }

        /** The last bid on an auction, or a number below the head. */
        final long lastBid(final long id)
        {
            return lastBids.get(id);
        }

        final long bidBefore(final long bid)
        {
            return bids.values[bids.at(bid) + CHAIN];
        }

        final boolean isInside(final long bid)
        {
            return bid >= bids.head;
        }

        final long auctionValue(final int row)
        {
            return auctions.values[auctions.at(row) + VALUE];
        }

        final long bidPrice(final long bid)
        {
            return bids.values[bids.at(bid) + VALUE];
        }
    }

    /** Bids with the category of their auction. */
    static final class BidsAndAuctions extends Windows
    {
        BidsAndAuctions(final NexmarkData data)
        {
            super(data);
        }

        @Override
        void auction(final int at, final long timeNs)
        {
            expire(timeNs);
            addAuction(at, timeNs, data.auctionCategory[at], 0);
            final long id = auctionId(at);
            for (long bid = lastBid(id); isInside(bid); bid = bidBefore(bid))
            {
                emit(id, bidPrice(bid), data.auctionCategory[at]);
            }
        }

        @Override
        void bid(final int at, final long timeNs)
        {
            expire(timeNs);
            addBid(at, timeNs);
            final int row = auctionRows.get(auctionOf(at));
            if (row >= 0)
            {
                emit(auctionOf(at), data.bidPrice[at], auctionValue(row));
            }
        }

        private void emit(final long id, final long price, final long category)
        {
            out.number(id);
            out.number(price);
            out.number(category);
            out.insert();
        }
    }

    /** Bids with the category of their auction, if any; bids of an instant are looked up at its end. */
    static final class BidsWithOrWithoutAuction extends Windows
    {
        private final int[] entered = new int[1 << 10];
        private int enteredSize;
        private long nowNs;

        BidsWithOrWithoutAuction(final NexmarkData data)
        {
            super(data);
        }

        @Override
        void auction(final int at, final long timeNs)
        {
            time(timeNs);
            addAuction(at, timeNs, data.auctionCategory[at], 0);
            final long id = auctionId(at);
            for (long bid = lastBid(id); isInside(bid); bid = bidBefore(bid))
            {
                if (bids.values[bids.at(bid) + TIME] < timeNs)
                {
                    emit(id, bidPrice(bid), data.auctionCategory[at]);
                }
            }
        }

        @Override
        void bid(final int at, final long timeNs)
        {
            time(timeNs);
            entered[enteredSize++] = (int)bids.tail;
            addBid(at, timeNs);
        }

        @Override
        void leave(final long id, final long timeNs)
        {
            for (long bid = lastBid(id); isInside(bid); bid = bidBefore(bid))
            {
                emit(id, bidPrice(bid), -1);
            }
        }

        @Override
        void advance(final long timeNs)
        {
            if (timeNs >= nowNs)
            {
                close();
                expire(timeNs);
            }
        }

        private void time(final long timeNs)
        {
            if (timeNs > nowNs)
            {
                close();
                expire(timeNs);
                nowNs = timeNs;
            }
        }

        private void close()
        {
            for (int i = 0; i < enteredSize; i++)
            {
                final long id = bids.values[bids.at(entered[i]) + ID];
                final int row = auctionRows.get(id);
                emit(id, bidPrice(entered[i]), row < 0 ? -1 : auctionValue(row));
            }
            enteredSize = 0;
        }

        private void emit(final long id, final long price, final long category)
        {
            out.number(id);
            out.number(price);
            if (category < 0)
            {
                out.missing();
            }
            else
            {
                out.number(category);
            }
            out.insert();
        }
    }

    /** Bids of a second with the seller's name: auctions of a second, persons of two, in any order of arrival. */
    static final class BidsAuctionsAndPersons extends Windows
    {
        private final RowQueue persons = new RowQueue(2, 1);
        private final LongMap personRows = new LongMap();
        private final LongMap lastOfSeller = new LongMap();

        BidsAuctionsAndPersons(final NexmarkData data)
        {
            super(data);
        }

        @Override
        void person(final int at, final long timeNs)
        {
            time(timeNs);
            final long id = personId(at);
            personRows.put(id, (int)persons.tail);
            final int row = persons.add();
            persons.values[row] = timeNs;
            persons.values[row + 1] = id;
            final String name = data.names[data.personName[at]];
            persons.texts[persons.textAt(persons.tail - 1)] = name;
            for (long auction = lastOfSeller.get(id); auction >= auctions.head;
                auction = auctions.values[auctions.at(auction) + CHAIN])
            {
                bidsOn(auctions.values[auctions.at(auction) + ID], name);
            }
        }

        @Override
        void auction(final int at, final long timeNs)
        {
            time(timeNs);
            final long seller = sellerOf(at);
            final long id = auctionId(at);
            addAuction(at, timeNs, seller, lastOfSeller.get(seller));
            lastOfSeller.put(seller, (int)auctions.tail - 1);
            final int row = personRows.get(seller);
            if (row >= 0)
            {
                bidsOn(id, persons.texts[persons.textAt(row)]);
            }
        }

        private void bidsOn(final long id, final String name)
        {
            for (long bid = lastBid(id); isInside(bid); bid = bidBefore(bid))
            {
                emit(name, id, bidPrice(bid));
            }
        }

        @Override
        void bid(final int at, final long timeNs)
        {
            time(timeNs);
            addBid(at, timeNs);
            final long id = auctionOf(at);
            final int auction = auctionRows.get(id);
            if (auction >= 0)
            {
                final int row = personRows.get(auctionValue(auction));
                if (row >= 0)
                {
                    emit(persons.texts[persons.textAt(row)], id, data.bidPrice[at]);
                }
            }
        }

        private void time(final long timeNs)
        {
            while (!persons.isEmpty() && persons.first() + 2 * SECOND_NS <= timeNs)
            {
                personRows.remove(persons.values[persons.at(persons.head++) + 1]);
            }
            while (!auctions.isEmpty() && auctions.first() + SECOND_NS <= timeNs)
            {
                forgetSeller(auctions.head);
                expire(auctions.first() + SECOND_NS);
            }
            expire(timeNs);
        }

        private void forgetSeller(final long auction)
        {
            final long seller = auctions.values[auctions.at(auction) + VALUE];
            if (lastOfSeller.get(seller) == (int)auction)
            {
                lastOfSeller.remove(seller);
            }
        }

        private void emit(final String name, final long id, final long price)
        {
            out.text(name);
            out.number(id);
            out.number(price);
            out.insert();
        }
    }
}
