package dev.millrace.network.definition;

import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The notation of durations in configuration files. Stateless. */
public final class DurationFormat
{
    /** Description of the accepted values, for messages. */
    public static final String FORM = "none, or a whole number with ms, s, m, h or d such as 30m, up to 36500d";

    /** Written as {@code none}: what the element specifies does not happen. */
    public static final Duration NONE = Duration.ZERO;

    private static final Pattern TEXT = Pattern.compile("(\\d{1,9})\\s*(ms|s|m|h|d)");
    private static final List<String> UNITS = List.of("d", "h", "m", "s", "ms");
    private static final List<Duration> LENGTHS = List.of(Duration.ofDays(1), Duration.ofHours(1),
        Duration.ofMinutes(1), Duration.ofSeconds(1), Duration.ofMillis(1));
    private static final Duration MOST = Duration.ofDays(36_500);

    private DurationFormat()
    {
    }

    /**
     * Parses a time.
     *
     * @param text as written
     * @return the time, {@link #NONE} for {@code none}, or {@code null} when it does not match {@link #FORM}
     */
    public static Duration parse(final String text)
    {
        if (text.strip().equals("none"))
        {
            return NONE;
        }
        final Matcher matcher = TEXT.matcher(text.strip());
        if (!matcher.matches())
        {
            return null;
        }
        final Duration time =
            LENGTHS.get(UNITS.indexOf(matcher.group(2))).multipliedBy(Long.parseLong(matcher.group(1)));
        return time.isZero() || time.compareTo(MOST) > 0 ? null : time;
    }

    /**
     * Formats a time.
     *
     * @param time as returned by {@link #parse}
     * @return string that {@link #parse} accepts
     */
    public static String format(final Duration time)
    {
        if (time.isZero())
        {
            return "none";
        }
        int unit = 0;
        while (time.toMillis() % LENGTHS.get(unit).toMillis() != 0)
        {
            unit++;
        }
        return time.toMillis() / LENGTHS.get(unit).toMillis() + UNITS.get(unit);
    }
}
