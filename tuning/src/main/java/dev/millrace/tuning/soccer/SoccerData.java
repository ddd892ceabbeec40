package dev.millrace.tuning.soccer;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Rows of the sensors of a {@link SoccerMatch}, in order of their times, as the DEBS 2013 Grand Challenge defines them:
 * sid, ts in picoseconds, position in mm, speed in um/s, acceleration in um/s2, and the directions of both in
 * ten-thousandths. 4 balls with 2000 rows per second and 38 other sensors with 200 make 15,600 rows per second.
 * Deterministic for a seed. Interruptions are separate from the rows; the Challenge has a separate file for them.
 */
final class SoccerData
{
    static final long START_PS = 10_753_295_594_424_116L;
    static final long TICK_PS = 500_000_000L;
    static final int ROWS_A_SECOND = 4 * 2000 + 38 * 200;
    private static final int SLOTS = 10;
    private static final double UNIT = 10_000;

    final int[] sids;
    final long[] times;
    final long[] xs;
    final long[] ys;
    final long[] zs;
    final long[] speeds;
    final long[] accelerations;
    /** vx, vy, vz, ax, ay, az. */
    final int[][] directions = new int[6][];
    /** When the referee interrupts and when play resumes, alternating, picoseconds. */
    final long[] interruptions;
    /** Duration, picoseconds: a whole number of ticks. */
    final long lengthPs;

    private final SplittableRandom noise;
    private final SoccerMatch match;
    private final Pitch.Sensor[] worn = Pitch.wornSensors();
    private final Pitch.Sensor[] balls = Pitch.balls();
    private int count;

    /**
     * Plays a match.
     *
     * @param seed same seed, same rows
     * @param rows number of rows
     */
    SoccerData(final long seed, final int rows)
    {
        final SplittableRandom random = new SplittableRandom(seed);
        match = new SoccerMatch(random.split());
        noise = random.split();
        sids = new int[rows];
        times = new long[rows];
        xs = new long[rows];
        ys = new long[rows];
        zs = new long[rows];
        speeds = new long[rows];
        accelerations = new long[rows];
        for (int i = 0; i < directions.length; i++)
        {
            directions[i] = new int[rows];
        }
        long[] stops = new long[16];
        int stopped = 0;
        long tick = 0;
        while (count < rows)
        {
            match.step();
            if (match.isStopped() != (stopped % 2 == 1))
            {
                stops = stopped == stops.length ? Arrays.copyOf(stops, stopped * 2) : stops;
                stops[stopped++] = START_PS + tick * TICK_PS;
            }
            emit(tick);
            tick++;
        }
        interruptions = Arrays.copyOf(stops, stopped);
        lengthPs = tick * TICK_PS;
    }

    int rows()
    {
        return sids.length;
    }

    /** Emits rows of the sensors whose turn it is: each ball, and a tenth of the others. */
    private void emit(final long tick)
    {
        int slot = 0;
        for (int i = 0; i < balls.length && count < sids.length; i++)
        {
            emitBall(balls[i], time(tick, slot++));
            count++;
        }
        for (int i = (int)(tick % 10); i < worn.length && count < sids.length; i += 10)
        {
            emitWorn(worn[i], time(tick, slot++));
            count++;
        }
    }

    /** A time slightly before or after the middle of a slot of 50 microseconds. */
    private long time(final long tick, final int slot)
    {
        return START_PS + tick * TICK_PS + slot * (TICK_PS / SLOTS) + TICK_PS / SLOTS / 4 +
            noise.nextLong(TICK_PS / SLOTS / 2);
    }

    private void emitBall(final Pitch.Sensor sensor, final long timePs)
    {
        final Ball ball = match.ball;
        if (sensor.side() == 0)
        {
            put(sensor.sid(), timePs, ball.x, ball.y, ball.z);
            vector(speeds, 0, ball.vx + shake(0.02), ball.vy + shake(0.02), ball.vz + shake(0.02));
            vector(accelerations, 3, ball.ax + shake(1), ball.ay + shake(1), ball.az + shake(1));
        }
        else
        {
            put(sensor.sid(), timePs, sensor.side() == 1 ? -2.5 : Pitch.WIDTH + sensor.side(),
                12.5 * sensor.side() - 25, 0.11);
            vector(speeds, 0, shake(0.03), shake(0.03), shake(0.03));
            vector(accelerations, 3, shake(1), shake(1), shake(1));
        }
    }

    private void emitWorn(final Pitch.Sensor sensor, final long timePs)
    {
        final Player runner = match.runners[sensor.player() - 1];
        final double speed = runner.speed();
        final double ux = speed < 0.01 ? 1 : runner.vx / speed;
        final double uy = speed < 0.01 ? 0 : runner.vy / speed;
        final double beside = sensor.side() == 0 ? 0.13 : -0.13;
        final double phase = runner.stride + sensor.side() * Math.PI;
        final double swing = Math.min(0.4, speed * 0.1);
        final boolean hand = sensor.kind() == Pitch.HAND;
        put(sensor.sid(), timePs, runner.x + ux * swing * Math.sin(phase) - uy * beside,
            runner.y + uy * swing * Math.sin(phase) + ux * beside,
            (hand ? 1.1 : 0.08) + Math.max(0, Math.cos(phase)) * swing * 0.4);
        final double now = Math.max(0, speed * (1 + 0.5 * Math.cos(phase)));
        vector(speeds, 0, ux * now + shake(0.05), uy * now + shake(0.05), swing * Math.sin(phase) + shake(0.05));
        final double push = -speed * 3 * Math.sin(phase);
        vector(accelerations, 3, ux * push + shake(1), uy * push + shake(1), shake(2));
    }

    private double shake(final double size)
    {
        return (noise.nextDouble() * 2 - 1) * size;
    }

    private void put(final int sid, final long timePs, final double x, final double y, final double z)
    {
        sids[count] = sid;
        times[count] = timePs;
        xs[count] = Math.round((x + shake(0.01)) * 1000);
        ys[count] = Math.round((y + shake(0.01)) * 1000);
        zs[count] = Math.round((z + shake(0.01)) * 1000);
    }

    private void vector(final long[] sizes, final int first, final double x, final double y, final double z)
    {
        final double size = Math.sqrt(x * x + y * y + z * z);
        sizes[count] = Math.round(size * 1e6);
        directions[first][count] = size == 0 ? 0 : (int)Math.round(x / size * UNIT);
        directions[first + 1][count] = size == 0 ? 0 : (int)Math.round(y / size * UNIT);
        directions[first + 2][count] = size == 0 ? 0 : (int)Math.round(z / size * UNIT);
    }
}
