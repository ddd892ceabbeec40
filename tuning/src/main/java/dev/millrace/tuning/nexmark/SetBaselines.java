package dev.millrace.tuning.nexmark;

import java.util.Arrays;

/** Baselines of set operations over auctions with bids and auctions offered: x5in, x7except, x7union. */
final class SetBaselines
{
    private SetBaselines()
    {
    }

    /** Number of copies in the result, given those on both sides. */
    enum Operation
    {
        /** All of the left, when the right has one. */
        IN,
        /** Those of the left that exceed the copies on the right. */
        EXCEPT,
        /** One, when there is any. */
        UNION
    }

    /**
     * Copies of a second on both sides; emits the copies at the end of an instant that were not in the result before.
     */
    static final class Combination extends QueryBaseline
    {
        private final Operation operation;
        private final RowQueue rows = new RowQueue(3);
        private final LongMap places = new LongMap();
        private int[] left = new int[1 << 12];
        private int[] right = new int[1 << 12];
        private int[] before = new int[1 << 12];
        private boolean[] isTouched = new boolean[1 << 12];
        private long[] keys = new long[1 << 12];
        private int[] free = new int[1 << 12];
        private int freeSize;
        private int used;
        private int[] touched = new int[1 << 12];
        private int touchedSize;
        private long nowNs;

        Combination(final NexmarkData data, final Operation operation)
        {
            super(data);
            this.operation = operation;
        }

        @Override
        void bid(final int at, final long timeNs)
        {
            enter(auctionOf(at), 0, timeNs);
        }

        @Override
        void auction(final int at, final long timeNs)
        {
            enter(auctionId(at), 1, timeNs);
        }

        private void enter(final long id, final int side, final long timeNs)
        {
            time(timeNs);
            int place = places.get(id);
            if (place < 0)
            {
                place = newPlace(id);
            }
            final int row = rows.add();
            rows.values[row] = timeNs;
            rows.values[row + 1] = place;
            rows.values[row + 2] = side;
            change(place, side, 1);
        }

        @Override
        void advance(final long timeNs)
        {
            if (timeNs >= nowNs)
            {
                time(timeNs);
                close();
            }
        }

        private void time(final long timeNs)
        {
            if (timeNs == nowNs)
            {
                return;
            }
            close();
            while (!rows.isEmpty() && rows.first() + SECOND_NS <= timeNs)
            {
                final int row = rows.at(rows.head++);
                final long leavesNs = rows.values[row] + SECOND_NS;
                change((int)rows.values[row + 1], (int)rows.values[row + 2], -1);
                if (leavesNs < timeNs && (rows.isEmpty() || rows.first() + SECOND_NS != leavesNs))
                {
                    close();
                }
            }
            nowNs = timeNs;
        }

        private void change(final int place, final int side, final int by)
        {
            if (!isTouched[place])
            {
                isTouched[place] = true;
                before[place] = shown(place);
                touched = touchedSize == touched.length ? Arrays.copyOf(touched, touchedSize * 2) : touched;
                touched[touchedSize++] = place;
            }
            if (side == 0)
            {
                left[place] += by;
            }
            else
            {
                right[place] += by;
            }
        }

        private int shown(final int place)
        {
            return switch (operation)
            {
                case IN -> right[place] > 0 ? left[place] : 0;
                case EXCEPT -> Math.max(0, left[place] - right[place]);
                default -> left[place] + right[place] > 0 ? 1 : 0;
            };
        }

        private void close()
        {
            for (int i = 0; i < touchedSize; i++)
            {
                final int place = touched[i];
                isTouched[place] = false;
                for (int copy = before[place]; copy < shown(place); copy++)
                {
                    out.number(keys[place]);
                    out.insert();
                }
                if (left[place] + right[place] == 0)
                {
                    places.remove(keys[place]);
                    free[freeSize++] = place;
                }
            }
            touchedSize = 0;
        }

        private int newPlace(final long id)
        {
            final int place = freeSize > 0 ? free[--freeSize] : used++;
            if (place == keys.length)
            {
                left = Arrays.copyOf(left, place * 2);
                right = Arrays.copyOf(right, place * 2);
                before = Arrays.copyOf(before, place * 2);
                isTouched = Arrays.copyOf(isTouched, place * 2);
                keys = Arrays.copyOf(keys, place * 2);
                free = Arrays.copyOf(free, place * 2);
            }
            keys[place] = id;
            places.put(id, place);
            return place;
        }
    }
}
