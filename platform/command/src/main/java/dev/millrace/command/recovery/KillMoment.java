package dev.millrace.command.recovery;

import java.util.Locale;
import java.util.Random;

/** When a process is killed. */
public enum KillMoment
{
    /** While rows flow. */
    FLOW(40),
    /** While a snapshot is written. */
    SNAPSHOT(25),
    /** While the application is updated. */
    DEPLOYMENT(15),
    /** Again, while the instance starts after a kill. */
    RECOVERY(20);

    private final int percent;

    KillMoment(final int percent)
    {
        this.percent = percent;
    }

    /** Returns the name in the figures. */
    public String label()
    {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Chooses a moment by its share. */
    static KillMoment any(final Random random)
    {
        int left = random.nextInt(100);
        for (final KillMoment moment : values())
        {
            left -= moment.percent;
            if (left < 0)
            {
                return moment;
            }
        }
        return FLOW;
    }
}
