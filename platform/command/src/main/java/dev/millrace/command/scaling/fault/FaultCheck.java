package dev.millrace.command.scaling.fault;

import java.util.Locale;

/**
 * A measured effect of a fault, with its limit.
 *
 * @param fault    the fault
 * @param what     the measured effect
 * @param measured infinite when the event did not occur
 * @param most     the limit
 * @param unit     unit of both
 */
public record FaultCheck(Fault fault, String what, double measured, double most, String unit)
{
    /** Whether the effect is within its limit. */
    public boolean isRight()
    {
        return measured <= most;
    }

    static String head()
    {
        return String.format(Locale.ROOT, "%-12s %-64s %12s %10s  %s", "fault", "what", "measured", "limit", "");
    }

    String line()
    {
        return String.format(Locale.ROOT, "%-12s %-64s %12s %10s  %s", fault.label(), what,
            number(measured) + ' ' + unit, number(most) + ' ' + unit, isRight() ? "right" : "BROKEN");
    }

    private static String number(final double value)
    {
        return Double.isInfinite(value) ? "never" :
            String.format(Locale.ROOT, value == Math.rint(value) ? "%,.0f" : "%,.2f", value);
    }
}
