package dev.millrace.network.definition;

import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How long keys of state that the language keeps without end may be idle before they are forgotten, as files write it.
 * Stateless.
 */
public final class IdleStateTime
{
    /** What a file may say, for messages. */
    public static final String FORM = "none, or a whole number with ms, s, m, h or d such as 30m, up to 36500d";

    /** Nothing is forgotten, also where the processor or the server says otherwise. */
    public static final Duration NONE = Duration.ZERO;

    private static final Pattern TEXT = Pattern.compile("(\\d{1,9})\\s*(ms|s|m|h|d)");
    private static final List<String> UNITS = List.of("d", "h", "m", "s", "ms");
    private static final List<Duration> LENGTHS = List.of(Duration.ofDays(1), Duration.ofHours(1),
        Duration.ofMinutes(1), Duration.ofSeconds(1), Duration.ofMillis(1));
    private static final Duration MOST = Duration.ofDays(36_500);

    private IdleStateTime()
    {
    }

    /**
     * Reads a text.
     *
     * @param text as written
     * @return the time, {@link #NONE} for {@code none}, or {@code null} when it is of another {@link #FORM}
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
     * Writes a time.
     *
     * @param time as {@link #parse} gives it
     * @return text that it reads
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
