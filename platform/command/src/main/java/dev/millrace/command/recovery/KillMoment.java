package dev.millrace.command.recovery;

import java.util.Locale;
import java.util.Random;

/** When a process is killed. */
public enum KillMoment
{
    /** While rows flow. */
    FLOW(35),
    /** While a snapshot is written. */
    SNAPSHOT(25),
    /** When a file of the journal begins, which it does with the first record after a start. */
    FILE(10),
    /** While the application is updated. */
    DEPLOYMENT(12),
    /** Again, while the instance starts after a kill. */
    RECOVERY(18);

    private final int percent;

    KillMoment(final int percent)
    {
        this.percent = percent;
    }

    /** Whether it is a moment after the start that follows a kill while rows flow. */
    boolean isAfterStart()
    {
        return this == FILE || this == RECOVERY;
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
