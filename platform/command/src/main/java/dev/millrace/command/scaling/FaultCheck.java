package dev.millrace.command.scaling;

import java.util.Locale;

/**
 * One thing that a fault may do to a certain extent only.
 *
 * @param fault    what was done
 * @param what     is measured
 * @param measured infinite when it has not happened at all
 * @param most     it may be
 * @param unit     of both
 */
public record FaultCheck(Fault fault, String what, double measured, double most, String unit)
{
    /**
     * Whether it is within its limit.
     *
     * @return true when it is
     */
    public boolean isRight()
    {
        return measured <= most;
    }

    static String head()
    {
        return String.format(Locale.ROOT, "%-12s %-64s %12s %10s  %s", "fault", "what", "measured", "at most", "");
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
