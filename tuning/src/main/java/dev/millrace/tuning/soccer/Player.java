package dev.millrace.tuning.soccer;

import java.util.SplittableRandom;

/** A player or the referee: runs towards a target position, at most at its chosen speed, and cannot turn at once. */
final class Player
{
    static final double DT = 0.005;
    private static final double MAX_ACCELERATION = 5.0;
    private static final double STEPS_A_METRE = 0.35;
    /** Speeds of the paces in m/s, and their cumulative frequency in percent. */
    private static final double[] PACES = {0.1, 1.8, 3.4, 4.3, 5.6, 7.4};
    private static final int[] SHARES = {18, 58, 75, 86, 95, 100};

    final double homeX;
    final double homeY;
    double x;
    double y;
    double vx;
    double vy;
    /** Phase of its stride, in radians. */
    double stride;
    private double pace = PACES[1];
    private int ticksLeft;

    Player(final double homeX, final double homeY)
    {
        this.homeX = homeX;
        this.homeY = homeY;
        x = homeX;
        y = homeY;
    }

    /** Chooses a new pace every few seconds. */
    void think(final SplittableRandom random)
    {
        if (ticksLeft-- > 0)
        {
            return;
        }
        ticksLeft = 200 + random.nextInt(600);
        final int share = random.nextInt(100);
        int chosen = 0;
        while (share >= SHARES[chosen])
        {
            chosen++;
        }
        pace = PACES[chosen] * (0.8 + 0.3 * random.nextDouble());
    }

    /** Runs towards a position for a 200th of a second, at the pace chosen. */
    void runTo(final double toX, final double toY)
    {
        runTo(toX, toY, pace);
    }

    /** Runs towards a position for a 200th of a second. */
    void runTo(final double toX, final double toY, final double speed)
    {
        final double dx = toX - x;
        final double dy = toY - y;
        final double distance = Math.sqrt(dx * dx + dy * dy);
        final double wanted = distance < 0.2 ? 0 : Math.min(speed, distance * 2);
        final double ux = distance < 0.2 ? 0 : dx / distance * wanted - vx;
        final double uy = distance < 0.2 ? 0 : dy / distance * wanted - vy;
        final double change = Math.sqrt(ux * ux + uy * uy);
        final double scale = change == 0 ? 0 : Math.min(1, MAX_ACCELERATION * DT / change);
        vx = distance < 0.2 ? vx * 0.95 : vx + ux * scale;
        vy = distance < 0.2 ? vy * 0.95 : vy + uy * scale;
        x += vx * DT;
        y += vy * DT;
        stride += (speed() * STEPS_A_METRE + 0.05) * 2 * Math.PI * DT;
    }

    double speed()
    {
        return Math.sqrt(vx * vx + vy * vy);
    }
}
