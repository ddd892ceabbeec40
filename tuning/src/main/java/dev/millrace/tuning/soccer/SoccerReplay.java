package dev.millrace.tuning.soccer;

import dev.millrace.api.event.EventBatch;
import java.util.function.Consumer;

/**
 * Replays the rows of a match repeatedly, each time later by its length, in batches; interruptions are sent separately
 * before the rows that follow them. Not thread-safe.
 */
final class SoccerReplay
{
    private static final long PS_A_NANO = 1000;

    private final SoccerData data;
    private final Consumer<EventBatch> positions;
    private final Consumer<EventBatch> interruptions;
    private final EventBatch batch;
    private final EventBatch interruption;
    private int next;
    private int nextInterruption;
    private long shiftPs;

    /**
     * @param data          rows to play
     * @param batch         to fill with rows
     * @param positions     receives it
     * @param interruption  to fill with interruptions, {@code null} when they are not needed
     * @param interruptions receives it
     */
    SoccerReplay(final SoccerData data, final EventBatch batch, final Consumer<EventBatch> positions,
        final EventBatch interruption, final Consumer<EventBatch> interruptions)
    {
        this.data = data;
        this.batch = batch;
        this.positions = positions;
        this.interruption = interruption;
        this.interruptions = interruptions;
    }

    /** Plays a number of rows; at the end of the match it starts again, at later times. */
    void play(final int rows)
    {
        int left = rows;
        while (left > 0)
        {
            final int n = Math.min(Math.min(EventBatch.CAPACITY, left), data.rows() - next);
            fill(n);
            final long lastNs = (data.times[next + n - 1] + shiftPs) / PS_A_NANO;
            if (interruption != null)
            {
                interrupt(data.times[next + n - 1], lastNs);
            }
            positions.accept(batch);
            batch.clear();
            batch.baseTimestampNs(lastNs);
            positions.accept(batch);
            next += n;
            left -= n;
            if (next == data.rows())
            {
                next = 0;
                nextInterruption = 0;
                shiftPs += data.lengthPs;
            }
        }
    }

    /** Sends the interruptions up to a time, and a heartbeat. */
    private void interrupt(final long untilPs, final long lastNs)
    {
        while (nextInterruption < data.interruptions.length && data.interruptions[nextInterruption] < untilPs)
        {
            interruption.clear();
            interruption.longs(0)[0] = (data.interruptions[nextInterruption] + shiftPs) / PS_A_NANO;
            interruption.ints(1)[0] = 1 - nextInterruption % 2;
            interruption.size(1);
            interruptions.accept(interruption);
            nextInterruption++;
        }
        interruption.clear();
        interruption.baseTimestampNs(lastNs);
        interruptions.accept(interruption);
    }

    private void fill(final int n)
    {
        batch.clear();
        System.arraycopy(data.sids, next, batch.ints(0), 0, n);
        final long[] times = batch.longs(1);
        final long[] nanos = batch.longs(13);
        for (int i = 0; i < n; i++)
        {
            times[i] = data.times[next + i] + shiftPs;
            nanos[i] = times[i] / PS_A_NANO;
        }
        System.arraycopy(data.xs, next, batch.longs(2), 0, n);
        System.arraycopy(data.ys, next, batch.longs(3), 0, n);
        System.arraycopy(data.zs, next, batch.longs(4), 0, n);
        System.arraycopy(data.speeds, next, batch.longs(5), 0, n);
        System.arraycopy(data.accelerations, next, batch.longs(6), 0, n);
        for (int i = 0; i < data.directions.length; i++)
        {
            System.arraycopy(data.directions[i], next, batch.ints(7 + i), 0, n);
        }
        batch.size(n);
    }
}
