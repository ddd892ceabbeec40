package dev.millrace.tuning.nexmark;

import java.util.Arrays;

/** Loops of the joins by a key: q3 and q20 over everything so far, x1join, x9three and x10outer over windows. */
final class JoinLoops
{
    private JoinLoops()
    {
    }

    /** Sellers of three states and their auctions of one category, whichever comes first. */
    static final class LocalItems extends HandLoop
    {
        private static final int CATEGORY = 10;

        private final LongMap persons = new LongMap();
        private final LongMap waiting = new LongMap();
        private final boolean[] isWanted;
        private int[] rows = new int[3 << 12];
        private int used;
        private long[] auctions = new long[1 << 12];
        private int[] next = new int[1 << 12];
        private int auctionsUsed;

        LocalItems(final NexmarkData data)
        {
            super(data);
            isWanted = new boolean[data.states.size()];
            for (int i = 0; i < isWanted.length; i++)
            {
                isWanted[i] = "OR ID CA".contains(data.states.text(i));
            }
        }

        @Override
        void person(final int at, final long timeNs)
        {
            if (!isWanted[data.personState[at]])
            {
                return;
            }
            final int row = used++ * 3;
            rows = row + 3 > rows.length ? Arrays.copyOf(rows, rows.length * 2) : rows;
            rows[row] = data.personName[at];
            rows[row + 1] = data.personCity[at];
            rows[row + 2] = data.personState[at];
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
            out.text(data.names, rows[row]);
            out.text(data.cities, rows[row + 1]);
            out.text(data.states, rows[row + 2]);
            out.number(auction);
            out.insert();
        }
    }

    /** Bids and their auctions of one category, whichever comes first. */
    static final class BidsOfCategory extends HandLoop
    {
        private static final int CATEGORY = 10;
        private static final int AUCTION_WIDTH = 8;
        private static final int BID_WIDTH = 8;

        private final LongMap auctions = new LongMap();
        private final LongMap bids = new LongMap();
        private long[] auctionRows = new long[AUCTION_WIDTH << 12];
        private long[] bidRows = new long[BID_WIDTH << 12];
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
            final int row = auctionsUsed++ * AUCTION_WIDTH;
            auctionRows = row + AUCTION_WIDTH > auctionRows.length ?
                Arrays.copyOf(auctionRows, auctionRows.length * 2) : auctionRows;
            auctionRows[row] = data.auctionItem[at];
            auctionRows[row + 1] = data.auctionDescription[at];
            auctionRows[row + 2] = data.auctionInitialBid[at];
            auctionRows[row + 3] = data.auctionReserve[at];
            auctionRows[row + 4] = timeNs;
            auctionRows[row + 5] = expiresAt(at);
            auctionRows[row + 6] = sellerOf(at);
            auctionRows[row + 7] = data.auctionExtra[at];
            auctions.put(auctionId(at), row);
            for (int i = bids.get(auctionId(at)); i >= 0; i = (int)bidRows[i + 7])
            {
                emit(i, row);
            }
        }

        @Override
        void bid(final int at, final long timeNs)
        {
            final long auction = auctionOf(at);
            final int row = bidsUsed++ * BID_WIDTH;
            bidRows = row + BID_WIDTH > bidRows.length ? Arrays.copyOf(bidRows, bidRows.length * 2) : bidRows;
            bidRows[row] = auction;
            bidRows[row + 1] = bidderOf(at);
            bidRows[row + 2] = data.bidPrice[at];
            bidRows[row + 3] = data.bidChannel[at];
            bidRows[row + 4] = data.bidUrl[at];
            bidRows[row + 5] = timeNs;
            bidRows[row + 6] = data.bidExtra[at];
            bidRows[row + 7] = bids.get(auction);
            bids.put(auction, row);
            final int found = auctions.get(auction);
            if (found >= 0)
            {
                emit(row, found);
            }
        }

        private void emit(final int bid, final int auction)
        {
            out.number(bidRows[bid]);
            out.number(bidRows[bid + 1]);
            out.number(bidRows[bid + 2]);
            out.text(data.channels, (int)bidRows[bid + 3]);
            out.text(data.urls, (int)bidRows[bid + 4]);
            out.number(bidRows[bid + 5]);
            out.text(data.extras, (int)bidRows[bid + 6]);
            out.text(data.items, (int)auctionRows[auction]);
            out.text(data.descriptions, (int)auctionRows[auction + 1]);
            for (int i = 2; i < 7; i++)
            {
                out.number(auctionRows[auction + i]);
            }
            out.number(CATEGORY);
            out.text(data.extras, (int)auctionRows[auction + 7]);
            out.insert();
        }
    }

    /** Auctions and bids of a second, bids of an auction chained from the last one back. */
    private abstract static class Windows extends HandLoop
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

        /** An auction has left at a time. */
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

    /** Bids with the category of their auction or without; bids of an instant are looked up when it is over. */
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

    /** Bids of a second with the seller's name: auctions of a second, persons of two, whichever comes last. */
    static final class BidsAuctionsAndPersons extends Windows
    {
        private final RowQueue persons = new RowQueue(3);
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
            persons.values[row + 2] = data.personName[at];
            for (long auction = lastOfSeller.get(id); auction >= auctions.head;
                auction = auctions.values[auctions.at(auction) + CHAIN])
            {
                bidsOn(auctions.values[auctions.at(auction) + ID], data.personName[at]);
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
                bidsOn(id, (int)persons.values[persons.at(row) + 2]);
            }
        }

        private void bidsOn(final long id, final int name)
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
                    emit((int)persons.values[persons.at(row) + 2], id, data.bidPrice[at]);
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

        private void emit(final int name, final long id, final long price)
        {
            out.text(data.names, name);
            out.number(id);
            out.number(price);
            out.insert();
        }
    }
}
