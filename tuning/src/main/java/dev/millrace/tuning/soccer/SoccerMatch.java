package dev.millrace.tuning.soccer;

import java.util.SplittableRandom;

/**
 * A simulated match: players keep to their positions and paces, the nearest ones run for the ball, dribble, pass and
 * shoot; the ball leaves the field, the referee interrupts. Deterministic for a seed. Driven 2000 times per second by
 * {@link #step}; not thread-safe.
 */
final class SoccerMatch
{
    private static final int TICKS_A_DECISION = 10;
    private static final double REACH = 0.7;
    private static final int SAME_FOOT_TICKS = 700;
    private static final int OTHER_FOOT_TICKS = 160;
    private static final int SHOT_TICKS = 6_000;
    private static final int FOUL_TICKS = 40_000;

    final Player[] runners = new Player[Pitch.PLAYERS + 1];
    final Ball ball = new Ball();
    private final SplittableRandom random;
    private long tick;
    private int holder = -1;
    private long lastTouch = -SAME_FOOT_TICKS;
    private long nextShot;
    private long nextFoul;
    private long playsOnAt;
    private int restartsWith;
    private boolean stopped;

    SoccerMatch(final SplittableRandom random)
    {
        this.random = random;
        for (int i = 0; i < Pitch.PLAYERS; i++)
        {
            final int place = i % Pitch.TEAM_SIZE;
            final double depth = place == 0 ? 1.5 : 8 + (place - 1) / 3 * 11;
            final double across = place == 0 ? Pitch.WIDTH / 2 : Pitch.WIDTH * (1 + (place - 1) % 3) / 4;
            runners[i] = new Player(across, i < Pitch.TEAM_SIZE ? Pitch.LOW + depth : Pitch.HIGH - depth);
        }
        runners[Pitch.PLAYERS] = new Player(Pitch.WIDTH / 2 + 5, 0);
        nextShot = SHOT_TICKS / 2;
        nextFoul = FOUL_TICKS / 2 + random.nextInt(FOUL_TICKS);
    }

    /** Whether the referee has interrupted the match. */
    boolean isStopped()
    {
        return stopped;
    }

    /** Advances by a 2000th of a second. */
    void step()
    {
        if (tick % TICKS_A_DECISION == 0)
        {
            move();
            decide();
        }
        ball.step();
        tick++;
    }

    private void move()
    {
        final int[] chasers = {nearest(0, Pitch.TEAM_SIZE), nearest(Pitch.TEAM_SIZE, Pitch.PLAYERS)};
        for (int i = 0; i <= Pitch.PLAYERS; i++)
        {
            final Player runner = runners[i];
            runner.think(random);
            if (!stopped && (i == chasers[0] || i == chasers[1]))
            {
                final double ahead = Math.min(0.6, distance(i) / 8);
                runner.runTo(ball.x + ball.vx * ahead, ball.y + ball.vy * ahead, 7.6);
            }
            else if (i % Pitch.TEAM_SIZE == 0 && i < Pitch.PLAYERS)
            {
                runner.runTo(runner.homeX + (ball.x - runner.homeX) * 0.1, runner.homeY);
            }
            else
            {
                runner.runTo(runner.homeX + (ball.x - runner.homeX) * 0.35 + 4 * Math.sin(tick * 1e-4 + i),
                    runner.homeY + (ball.y - runner.homeY) * 0.45 + 4 * Math.cos(tick * 1.3e-4 + i));
            }
        }
    }

    private double distance(final int i)
    {
        return Math.hypot(runners[i].x - ball.x, runners[i].y - ball.y);
    }

    private int nearest(final int from, final int to)
    {
        int nearest = from;
        for (int i = from + 1; i < to; i++)
        {
            nearest = distance(i) < distance(nearest) ? i : nearest;
        }
        return nearest;
    }

    private void decide()
    {
        if (stopped)
        {
            waitForRestart();
        }
        else if (!Pitch.isInside(ball.x, ball.y))
        {
            stop();
        }
        else if (tick >= nextFoul)
        {
            nextFoul = tick + FOUL_TICKS + random.nextInt(FOUL_TICKS);
            stop();
        }
        else if (!ball.isPushed() && ball.z < 1.8)
        {
            touch();
        }
    }

    private void stop()
    {
        stopped = true;
        playsOnAt = tick + 3000 + random.nextInt(3000);
        final int team = holder < 0 ? random.nextInt(2) : 1 - holder / Pitch.TEAM_SIZE;
        restartsWith = nearest(team * Pitch.TEAM_SIZE, (team + 1) * Pitch.TEAM_SIZE);
    }

    /** A player carries the ball to the one who restarts play. */
    private void waitForRestart()
    {
        final Player begins = runners[restartsWith];
        ball.vx = (begins.x + 0.3 - ball.x) * 1.5;
        ball.vy = (begins.y + 0.3 - ball.y) * 1.5;
        ball.vz = 0;
        ball.z = 0.11;
        if (tick >= playsOnAt && distance(restartsWith) < REACH && Pitch.isInside(ball.x, ball.y))
        {
            stopped = false;
            holder = restartsWith;
            pass();
        }
    }

    private void touch()
    {
        final int nearest = nearest(0, Pitch.PLAYERS);
        final long pause = tick - lastTouch;
        if (distance(nearest) > REACH || pause < (nearest == holder ? SAME_FOOT_TICKS : OTHER_FOOT_TICKS))
        {
            return;
        }
        holder = nearest;
        final double goal = goalLine();
        final double way = Math.abs(goal - ball.y);
        if (tick >= nextShot && way > 4 && way < 30)
        {
            nextShot = tick + SHOT_TICKS + random.nextInt(SHOT_TICKS);
            shoot(goal);
        }
        else if (holder % Pitch.TEAM_SIZE == 0 || random.nextInt(100) < 40)
        {
            pass();
        }
        else
        {
            final double away = Math.hypot(Pitch.WIDTH / 2 - ball.x, goal - ball.y);
            final double speed = 4.5 + 2.5 * random.nextDouble();
            kick((Pitch.WIDTH / 2 - ball.x) / away * speed + random.nextDouble() - 0.5,
                (goal - ball.y) / away * speed + random.nextDouble() - 0.5, 0.2);
        }
    }

    private double goalLine()
    {
        return holder < Pitch.TEAM_SIZE ? Pitch.HIGH : Pitch.LOW;
    }

    private void shoot(final double goal)
    {
        final double toX = Pitch.POST_LEFT - 1 + random.nextDouble() * (Pitch.POST_RIGHT - Pitch.POST_LEFT + 2);
        final double away = Math.hypot(toX - ball.x, goal - ball.y);
        final double speed = 19 + 9 * random.nextDouble();
        kick((toX - ball.x) / away * speed, (goal - ball.y) / away * speed,
            0.3 + 4.5 * random.nextDouble() * away / 26);
    }

    private void pass()
    {
        final int team = holder / Pitch.TEAM_SIZE;
        int to = team * Pitch.TEAM_SIZE + random.nextInt(Pitch.TEAM_SIZE);
        to = to == holder ? team * Pitch.TEAM_SIZE + (to + 1) % Pitch.TEAM_SIZE : to;
        final double away = Math.max(1, Math.hypot(runners[to].x - ball.x, runners[to].y - ball.y));
        final double speed = Math.sqrt(2 * 1.3 * away) + 4 + 2 * random.nextDouble();
        kick((runners[to].x - ball.x) / away * speed + random.nextDouble() - 0.5,
            (runners[to].y - ball.y) / away * speed + random.nextDouble() - 0.5,
            random.nextInt(100) < 30 ? 3 + 3 * random.nextDouble() : 0.2);
    }

    private void kick(final double vx, final double vy, final double vz)
    {
        lastTouch = tick;
        ball.push(vx, vy, vz, 14 + random.nextInt(10));
    }
}
