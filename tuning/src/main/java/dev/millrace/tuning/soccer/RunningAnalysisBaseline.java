package dev.millrace.tuning.soccer;

import dev.millrace.api.event.EventBatch;
import dev.millrace.tuning.harness.RowSum;
import dev.millrace.tuning.harness.RowWriter;
import java.util.function.Function;

/** Hand-written running analysis: sums per fiftieth of a second, then runs and windows over one ring of steps. */
final class RunningAnalysisBaseline extends SoccerBaseline
{
    private static final long STEP_NS = 20_000_000L;
    private static final long RUN_NS = 1_000_000_000L;
    private static final int PACES = 6;
    private static final int GROUPS = (Pitch.PLAYERS + 1) * PACES;
    private static final int MINUTE = 3000 * Pitch.PLAYERS;

    private final long[] sums = new long[Pitch.PLAYERS + 1];
    private final int[] counts = new int[Pitch.PLAYERS + 1];
    private long tickNs = Long.MIN_VALUE;

    private final int[] paces = new int[Pitch.PLAYERS + 1];
    private final long[] since = new long[Pitch.PLAYERS + 1];
    private final long[] runDistance = new long[Pitch.PLAYERS + 1];
    private final long[] runSteps = new long[Pitch.PLAYERS + 1];

    /** Steps of slightly more than 20 minutes: time, group, distance. */
    private final long[] times = new long[1 << 20];
    private final short[] groups = new short[1 << 20];
    private final int[] distances = new int[1 << 20];
    private int tail;

    private final RowWriter running = writer("running");
    private final Span[] spans = {
        new Span(1, writer("pace_1")), new Span(5, writer("pace_5")), new Span(20, writer("pace_20")),
        new Span(0, writer("pace_match"))};

    /** The steps of a number of minutes, or all. */
    private final class Span
    {
        private final long lengthNs;
        private final RowWriter writer;
        private final long[] steps = new long[GROUPS];
        private final long[] distance = new long[GROUPS];
        private final long[] stepsBefore = new long[GROUPS];
        private final long[] distanceBefore = new long[GROUPS];
        private final long[] touchedAt = new long[GROUPS];
        private final short[] touched = new short[GROUPS];
        private int touchedCount;
        private int head;

        Span(final int minutes, final RowWriter writer)
        {
            lengthNs = minutes * 60_000_000_000L;
            this.writer = writer;
        }

        private void touch(final int group)
        {
            if (touchedAt[group] != tickNs)
            {
                touchedAt[group] = tickNs;
                touched[touchedCount++] = (short)group;
                stepsBefore[group] = steps[group];
                distanceBefore[group] = distance[group];
            }
        }

        /** Adds the steps of this tick, and removes those that have expired. */
        void tick(final int first)
        {
            touchedCount = 0;
            while (lengthNs > 0 && head != first && times[head] + lengthNs <= tickNs)
            {
                touch(groups[head]);
                steps[groups[head]]--;
                distance[groups[head]] -= distances[head];
                head = head + 1 & times.length - 1;
            }
            for (int i = first; i != tail; i = i + 1 & times.length - 1)
            {
                touch(groups[i]);
                steps[groups[i]]++;
                distance[groups[i]] += distances[i];
            }
            for (int i = 0; i < touchedCount; i++)
            {
                final int group = touched[i];
                if (steps[group] > 0 &&
                    (steps[group] != stepsBefore[group] || distance[group] != distanceBefore[group]))
                {
                    put(group);
                }
            }
        }

        private void put(final int group)
        {
            final int row = writer.add(tickNs);
            writer.batch.ints(0)[row] = group / PACES;
            writer.batch.ints(1)[row] = group % PACES;
            writer.batch.longs(2)[row] = steps[group];
            writer.batch.longs(3)[row] = distance[group];
        }
    }

    RunningAnalysisBaseline(final Function<String, RowSum> sinks)
    {
        super(sinks);
        if (times.length < 20 * MINUTE + 2 * Pitch.PLAYERS)
        {
            throw new IllegalStateException("the ring is too small");
        }
        java.util.Arrays.fill(paces, -1);
    }

    @Override
    void rows(final EventBatch batch)
    {
        final int[] sids = batch.ints(SID);
        final long[] speeds = batch.longs(V);
        final long[] nanos = batch.longs(AT);
        for (int i = 0; i < batch.size(); i++)
        {
            final int sid = sids[i];
            if (kinds[sid] == Pitch.FOOT)
            {
                if (nanos[i] > tickNs)
                {
                    tick();
                    tickNs = (nanos[i] + STEP_NS - 1) / STEP_NS * STEP_NS;
                }
                sums[players[sid]] += speeds[i];
                counts[players[sid]]++;
            }
        }
    }

    @Override
    void timeIs(final long nowNs)
    {
        if (nowNs >= tickNs)
        {
            tick();
        }
    }

    private void tick()
    {
        final int first = tail;
        for (int player = 1; player <= Pitch.PLAYERS; player++)
        {
            if (counts[player] > 0)
            {
                step(player, sums[player] / counts[player]);
                sums[player] = 0;
                counts[player] = 0;
            }
        }
        if (tail != first)
        {
            for (final Span span : spans)
            {
                span.tick(first);
            }
        }
    }

    private void step(final int player, final long v)
    {
        final int pace = v < 277778 ? 0 : v < 3055556 ? 1 : v < 3888889 ? 2 : v < 4722222 ? 3 : v < 6666667 ? 4 : 5;
        final int distance = (int)(v / 50);
        times[tail] = tickNs;
        groups[tail] = (short)(player * PACES + pace);
        distances[tail] = distance;
        tail = tail + 1 & times.length - 1;
        if (pace != paces[player])
        {
            paces[player] = pace;
            since[player] = tickNs;
            runDistance[player] = distance;
            runSteps[player] = 1;
            return;
        }
        runDistance[player] += distance;
        runSteps[player]++;
        if (tickNs - since[player] >= RUN_NS)
        {
            final int row = running.add(tickNs);
            running.batch.longs(0)[row] = since[player];
            running.batch.longs(1)[row] = tickNs;
            running.batch.ints(2)[row] = player;
            running.batch.ints(3)[row] = pace;
            running.batch.longs(4)[row] = runDistance[player];
            running.batch.longs(5)[row] = runDistance[player] / runSteps[player] * 50;
        }
    }
}
