package dev.millrace.tuning.nexmark;

import java.util.Arrays;

/** Baselines over the positions of cars: lr1seg, lr2lav, lr4stop. */
final class RoadBaselines
{
    private static final int SEGMENTS = 100;
    private static final int PLACES = 8 * SEGMENTS;

    private RoadBaselines()
    {
    }

    /** Number of road, direction and segment combined. */
    private static int place(final NexmarkData data, final int at)
    {
        return (data.road[at] * 2 + data.direction[at]) * SEGMENTS + data.segment[at];
    }

    private static void emit(final QueryBaseline loop, final int place)
    {
        loop.out.number(place / SEGMENTS / 2);
        loop.out.number(place / SEGMENTS % 2);
        loop.out.number(place % SEGMENTS);
    }

    /** Cars by segment, each at its last position; a car without a report for 30 s is not counted. */
    static final class Cars extends QueryBaseline
    {
        private final int[] segments = new int[NexmarkData.CARS];
        private final long[] times = new long[NexmarkData.CARS];
        private final int[] counts = new int[PLACES];
        private final RowQueue rows = new RowQueue(2);

        Cars(final NexmarkData data)
        {
            super(data);
            Arrays.fill(segments, -1);
        }

        @Override
        void position(final int at, final long timeNs)
        {
            advance(timeNs);
            final int car = data.car[at];
            final int place = place(data, at);
            if (segments[car] != place)
            {
                if (segments[car] >= 0)
                {
                    change(segments[car], -1);
                }
                change(place, 1);
                segments[car] = place;
            }
            times[car] = timeNs;
            final int row = rows.add();
            rows.values[row] = timeNs;
            rows.values[row + 1] = car;
        }

        @Override
        void advance(final long timeNs)
        {
            while (!rows.isEmpty() && rows.first() + 30 * SECOND_NS <= timeNs)
            {
                final int row = rows.at(rows.head++);
                final int car = (int)rows.values[row + 1];
                if (times[car] == rows.values[row] && segments[car] >= 0)
                {
                    change(segments[car], -1);
                    segments[car] = -1;
                }
            }
        }

        private void change(final int place, final int by)
        {
            if (counts[place] > 0)
            {
                show(place);
                out.delete();
            }
            counts[place] += by;
            if (counts[place] > 0)
            {
                show(place);
                out.insert();
            }
        }

        private void show(final int place)
        {
            emit(this, place);
            out.number(counts[place]);
        }
    }

    /** Mean speed by segment of ten seconds. */
    static final class Speeds extends QueryBaseline
    {
        private final long[] sums = new long[PLACES];
        private final long[] counts = new long[PLACES];
        private final RowQueue rows = new RowQueue(3);

        Speeds(final NexmarkData data)
        {
            super(data);
        }

        @Override
        void position(final int at, final long timeNs)
        {
            advance(timeNs);
            final int place = place(data, at);
            final int row = rows.add();
            rows.values[row] = timeNs;
            rows.values[row + 1] = place;
            rows.values[row + 2] = data.speed[at];
            change(place, 1, data.speed[at]);
        }

        @Override
        void advance(final long timeNs)
        {
            while (!rows.isEmpty() && rows.first() + 10 * SECOND_NS <= timeNs)
            {
                final int row = rows.at(rows.head++);
                change((int)rows.values[row + 1], -1, -rows.values[row + 2]);
            }
        }

        private void change(final int place, final int count, final long speed)
        {
            if (counts[place] > 0)
            {
                show(place);
                out.delete();
            }
            counts[place] += count;
            sums[place] += speed;
            if (counts[place] > 0)
            {
                show(place);
                out.insert();
            }
        }

        private void show(final int place)
        {
            emit(this, place);
            out.real((float)((double)sums[place] / counts[place]));
        }
    }

    /** Cars with four consecutive reports of the same position. */
    static final class Stopped extends QueryBaseline
    {
        private static final int REPORTS = 4;

        private final int[] places = new int[NexmarkData.CARS];
        private final byte[] runs = new byte[NexmarkData.CARS];

        Stopped(final NexmarkData data)
        {
            super(data);
        }

        @Override
        void position(final int at, final long timeNs)
        {
            final int car = data.car[at];
            final int place = data.position[at];
            runs[car] = runs[car] > 0 && places[car] == place ? (byte)(runs[car] + 1) : 1;
            places[car] = place;
            if (runs[car] == REPORTS)
            {
                out.number(car);
                out.number(place);
                out.insert();
                runs[car] = 0;
            }
        }
    }
}
