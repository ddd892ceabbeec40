package dev.millrace.tuning.soccer;

/** The ball in play: flies, bounces, leaves the field, and is pushed by feet for some milliseconds at a time. */
final class Ball
{
    static final double DT = 0.0005;
    private static final double GRAVITY = 9.81;
    private static final double ROLLING = 1.2;
    private static final double DRAG = 0.06;
    private static final int BOUNCE_TICKS = 8;

    double x = Pitch.WIDTH / 2;
    double y;
    double z = 0.11;
    double vx;
    double vy;
    double vz;
    double ax;
    double ay;
    double az;
    private int pushTicks;

    /** Whether it is currently being pushed. */
    boolean isPushed()
    {
        return pushTicks > 0;
    }

    /** Starts a push that accelerates it to a velocity within a number of ticks. */
    void push(final double toVx, final double toVy, final double toVz, final int ticks)
    {
        pushTicks = ticks;
        ax = (toVx - vx) / (ticks * DT);
        ay = (toVy - vy) / (ticks * DT);
        az = (toVz - vz) / (ticks * DT);
    }

    /** Advances by a 2000th of a second. */
    void step()
    {
        if (pushTicks > 0)
        {
            pushTicks--;
        }
        else if (z < 0.11 && vz < -0.5)
        {
            push(vx * 0.9, vy * 0.9, -vz * 0.5, BOUNCE_TICKS);
        }
        else
        {
            free();
        }
        vx += ax * DT;
        vy += ay * DT;
        vz += az * DT;
        x += vx * DT;
        y += vy * DT;
        z = Math.max(0.05, z + vz * DT);
    }

    private void free()
    {
        final double speed = Math.sqrt(vx * vx + vy * vy);
        final boolean rolls = z <= 0.12 && Math.abs(vz) <= 0.5;
        final double brake = speed < 0.01 ? 0 : Math.min((rolls ? ROLLING : DRAG * speed) / speed, 1 / DT);
        ax = -vx * brake;
        ay = -vy * brake;
        az = rolls ? -vz / DT * 0.5 : -GRAVITY;
    }
}
