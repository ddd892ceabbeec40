package dev.millrace.tuning.soccer;

import dev.millrace.api.event.EventBatch;
import dev.millrace.tuning.harness.RowSum;
import dev.millrace.tuning.harness.RowWriter;
import java.util.function.Function;

/**
 * Hand-written shots on goal: who struck last, and whether the path of the ball leads into the goal of the other team.
 */
final class ShotBaseline extends BallContactBaseline
{
    private static final int[] COPIED = {X, Y, Z, V, VX, VX + 1, VX + 2, A, VX + 3, VX + 4, VX + 5};

    private final RowWriter shots = writer("shots");
    private int striker;

    ShotBaseline(final Function<String, RowSum> sinks)
    {
        super(sinks);
    }

    @Override
    void hit(final int player, final long atNs)
    {
        striker = player;
    }

    @Override
    void timeIs(final long nowNs)
    {
        // Nothing expires by time.
    }

    @Override
    void ball(final EventBatch batch, final int row, final boolean leaves)
    {
        final long y = batch.longs(Y)[row];
        final long vy = batch.ints(VX + 1)[row];
        final long way = vy > 0 ? 33941 - y : -33968 - y;
        // The ball approaches the line, and reaches it within 1.5 seconds.
        if (striker == 0 || vy == 0 || vy > 0 != (Pitch.team(striker) == 1) || (vy > 0 ? way < 0 : way > 0) ||
            Math.abs(way) * 10_000_000_000L > 1500 * batch.longs(V)[row] * Math.abs(vy))
        {
            return;
        }
        final long x = batch.longs(X)[row];
        final long left = vy > 0 ? 22579 : 22560;
        final long right = vy > 0 ? 29899 : 29880;
        if (x >= 0 && x <= 52483 && between((left - x) * vy, way * batch.ints(VX)[row], (right - x) * vy, vy) &&
            between(-batch.longs(Z)[row] * vy, way * batch.ints(VX + 2)[row], (2440 - batch.longs(Z)[row]) * vy, vy))
        {
            put(batch, row);
        }
    }

    private static boolean between(final long low, final long value, final long high, final long sign)
    {
        return sign > 0 ? low <= value && value <= high : low >= value && value >= high;
    }

    private void put(final EventBatch batch, final int row)
    {
        final long atNs = batch.longs(AT)[row];
        final int to = shots.add(atNs);
        shots.batch.longs(0)[to] = atNs;
        shots.batch.ints(1)[to] = striker;
        for (int i = 0; i < COPIED.length; i++)
        {
            if (COPIED[i] < VX)
            {
                shots.batch.longs(2 + i)[to] = batch.longs(COPIED[i])[row];
            }
            else
            {
                shots.batch.ints(2 + i)[to] = batch.ints(COPIED[i])[row];
            }
        }
    }
}
