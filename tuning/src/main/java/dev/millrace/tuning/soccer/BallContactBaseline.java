package dev.millrace.tuning.soccer;

import dev.millrace.api.event.EventBatch;
import dev.millrace.tuning.harness.RowSum;
import java.util.function.Function;

/**
 * Base of hand-written ball possession and shots: the position of each foot, and the last player to strike the ball.
 */
abstract class BallContactBaseline extends SoccerBaseline
{
    private static final long STRIKE = 55_000_000L;
    private static final long REACH_MM2 = 1_000_000L;
    private static final long NONE = -1;

    private final int[] slots = new int[128];
    private final int[] owners = new int[2 * Pitch.PLAYERS];
    private final int[] footX = new int[2 * Pitch.PLAYERS];
    private final int[] footY = new int[2 * Pitch.PLAYERS];
    private final boolean[] known = new boolean[2 * Pitch.PLAYERS];
    /** Of each ball by its sensor: acceleration in the previous row, and whether that was in the field. */
    private final long[] lastAcceleration = new long[128];
    private final boolean[] wasInside = new boolean[128];

    BallContactBaseline(final Function<String, RowSum> sinks)
    {
        super(sinks);
        int slot = 0;
        for (final Pitch.Sensor each : Pitch.wornSensors())
        {
            if (each.kind() == Pitch.FOOT)
            {
                owners[slot] = each.player();
                slots[each.sid()] = slot++;
            }
        }
        java.util.Arrays.fill(lastAcceleration, NONE);
    }

    @Override
    final void rows(final EventBatch batch)
    {
        final int[] sids = batch.ints(SID);
        final long[] xs = batch.longs(X);
        final long[] ys = batch.longs(Y);
        final long[] accelerations = batch.longs(A);
        for (int i = 0; i < batch.size(); i++)
        {
            final int sid = sids[i];
            if (kinds[sid] == Pitch.FOOT)
            {
                final int slot = slots[sid];
                footX[slot] = (int)xs[i];
                footY[slot] = (int)ys[i];
                known[slot] = true;
            }
            else if (kinds[sid] == Pitch.BALL)
            {
                final long x = xs[i];
                final long y = ys[i];
                final boolean inside = x >= 0 & x <= 52483 & y >= -33960 & y <= 33965;
                final long before = lastAcceleration[sid];
                lastAcceleration[sid] = accelerations[i];
                if (inside && before != NONE && before < STRIKE && accelerations[i] >= STRIKE)
                {
                    strike(x, y, batch.longs(AT)[i]);
                }
                ball(batch, i, before != NONE && wasInside[sid] && !inside);
                wasInside[sid] = inside;
            }
        }
    }

    private void strike(final long x, final long y, final long atNs)
    {
        long least = REACH_MM2;
        int nearest = -1;
        for (int i = 0; i < footX.length; i++)
        {
            final long dx = x - footX[i];
            final long dy = y - footY[i];
            final long distance = dx * dx + dy * dy;
            if (known[i] & distance < least)
            {
                least = distance;
                nearest = i;
            }
        }
        if (nearest >= 0)
        {
            hit(owners[nearest], atNs);
        }
    }

    /** Called when a player has struck the ball. */
    abstract void hit(int player, long atNs);

    /** Called for a row of a ball, after its hit if it was one. */
    abstract void ball(EventBatch batch, int row, boolean leaves);
}
