package dev.millrace.tuning.soccer;

import dev.millrace.api.event.EventBatch;
import dev.millrace.tuning.harness.RowSum;
import dev.millrace.tuning.harness.RowWriter;
import java.util.function.Function;

/** Hand-written ball possession: spells from touch to touch, sums by player, and by team over one ring of spells. */
final class PossessionBaseline extends BallContactBaseline
{
    private static final int KEPT = 1 << 14;

    private long[] interruptions = new long[16];
    private int interruptionCount;
    private int interruptionsDone;
    private int holder;
    private long heldSince;
    private final long[] hits = new long[Pitch.PLAYERS + 1];
    private final long[] held = new long[Pitch.PLAYERS + 1];
    private final long[] times = new long[KEPT];
    private final byte[] teams = new byte[KEPT];
    private final long[] lengths = new long[KEPT];
    private int tail;
    private final RowWriter players = writer("players");
    private final Span[] spans = {
        new Span(1, writer("teams_1")), new Span(5, writer("teams_5")), new Span(20, writer("teams_20")),
        new Span(0, writer("teams_match"))};

    /** The spells of a number of minutes, or all. */
    private final class Span
    {
        private final long lengthNs;
        private final RowWriter writer;
        private final long[] sums = new long[3];
        private final int[] counts = new int[3];
        private final long[] sumsShown = new long[3];
        private final double[] sharesShown = new double[3];
        private int head;

        Span(final int minutes, final RowWriter writer)
        {
            lengthNs = minutes * 60_000_000_000L;
            this.writer = writer;
        }

        /** Removes expired spells; those that expire at this instant together with those that enter. */
        void leave(final long nowNs, final boolean withNow)
        {
            while (lengthNs > 0 && head != tail)
            {
                final long leavesNs = times[head] + lengthNs;
                if (leavesNs > nowNs || leavesNs == nowNs && !withNow)
                {
                    return;
                }
                do
                {
                    sums[teams[head]] -= lengths[head];
                    counts[teams[head]]--;
                    head = head + 1 & KEPT - 1;
                }
                while (head != tail && times[head] + lengthNs == leavesNs);
                show(leavesNs);
            }
        }

        void enter(final int team, final long length, final long nowNs)
        {
            leave(nowNs, false);
            if (lengthNs > 0 && head != tail && times[head] + lengthNs == nowNs)
            {
                sums[teams[head]] -= lengths[head];
                counts[teams[head]]--;
                head = head + 1 & KEPT - 1;
            }
            sums[team] += length;
            counts[team]++;
            show(nowNs);
        }

        private void show(final long nowNs)
        {
            final long all = sums[1] + sums[2];
            for (int team = 1; team <= 2; team++)
            {
                final double share = 100.0 * sums[team] / all;
                final boolean shows = counts[team] > 0;
                if (shows && (sums[team] != sumsShown[team] || share != sharesShown[team]))
                {
                    final int row = writer.add(nowNs);
                    writer.batch.ints(0)[row] = team;
                    writer.batch.longs(1)[row] = sums[team];
                    writer.batch.doubles(2)[row] = share;
                }
                sumsShown[team] = shows ? sums[team] : -1;
                sharesShown[team] = share;
            }
        }
    }

    PossessionBaseline(final Function<String, RowSum> sinks)
    {
        super(sinks);
    }

    @Override
    void onInterruptions(final EventBatch batch)
    {
        for (int i = 0; i < batch.size(); i++)
        {
            if (batch.ints(1)[i] == 1)
            {
                interruptions = interruptionCount < interruptions.length ? interruptions :
                    java.util.Arrays.copyOf(interruptions, interruptionCount * 2);
                interruptions[interruptionCount++] = batch.longs(0)[i];
            }
        }
    }

    private void interruptUntil(final long nowNs)
    {
        while (interruptionsDone < interruptionCount && interruptions[interruptionsDone] < nowNs)
        {
            touch(0, interruptions[interruptionsDone++]);
        }
        if (interruptionsDone == interruptionCount)
        {
            interruptionsDone = 0;
            interruptionCount = 0;
        }
    }

    @Override
    void hit(final int player, final long atNs)
    {
        interruptUntil(atNs);
        touch(player, atNs);
    }

    @Override
    void ball(final EventBatch batch, final int row, final boolean leaves)
    {
        if (leaves)
        {
            final long atNs = batch.longs(AT)[row];
            interruptUntil(atNs);
            touch(0, atNs);
        }
    }

    private void touch(final int player, final long atNs)
    {
        if (holder > 0)
        {
            spell(holder, atNs - heldSince, atNs);
        }
        holder = player;
        heldSince = atNs;
    }

    private void spell(final int player, final long length, final long nowNs)
    {
        hits[player]++;
        held[player] += length;
        final int row = players.add(nowNs);
        players.batch.ints(0)[row] = player;
        players.batch.longs(1)[row] = hits[player];
        players.batch.longs(2)[row] = held[player];
        for (final Span span : spans)
        {
            span.enter(Pitch.team(player), length, nowNs);
        }
        times[tail] = nowNs;
        teams[tail] = (byte)Pitch.team(player);
        lengths[tail] = length;
        tail = tail + 1 & KEPT - 1;
    }

    @Override
    void timeIs(final long nowNs)
    {
        interruptUntil(nowNs + 1);
        for (final Span span : spans)
        {
            span.leave(nowNs, true);
        }
    }
}
