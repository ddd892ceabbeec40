package dev.millrace.cql.language.syntax;

import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The names of time units, and abbreviations that other products use. Stateless. */
final class TimeUnitNames
{
    private static final Map<String, Long> LENGTHS_NS = Map.ofEntries(
        Map.entry("nanosecond", 1L), Map.entry("nanoseconds", 1L),
        Map.entry("microsecond", 1_000L), Map.entry("microseconds", 1_000L),
        Map.entry("millisecond", 1_000_000L), Map.entry("milliseconds", 1_000_000L),
        Map.entry("second", 1_000_000_000L), Map.entry("seconds", 1_000_000_000L),
        Map.entry("minute", 60_000_000_000L), Map.entry("minutes", 60_000_000_000L),
        Map.entry("hour", 3_600_000_000_000L), Map.entry("hours", 3_600_000_000_000L),
        Map.entry("day", 86_400_000_000_000L), Map.entry("days", 86_400_000_000_000L));

    /** For hints, plurals first. */
    static final String[] NAMES =
        LENGTHS_NS.keySet().stream().sorted(Comparator.reverseOrder()).toArray(String[]::new);

    private static final Map<String, String> ABBREVIATIONS = Map.ofEntries(
        Map.entry("ns", "nanoseconds"), Map.entry("nanos", "nanoseconds"), Map.entry("nsec", "nanoseconds"),
        Map.entry("us", "microseconds"), Map.entry("micros", "microseconds"), Map.entry("usec", "microseconds"),
        Map.entry("ms", "milliseconds"), Map.entry("msec", "milliseconds"), Map.entry("millis", "milliseconds"),
        Map.entry("millisec", "milliseconds"), Map.entry("s", "seconds"), Map.entry("sec", "seconds"),
        Map.entry("secs", "seconds"), Map.entry("m", "minutes"), Map.entry("min", "minutes"),
        Map.entry("mins", "minutes"), Map.entry("h", "hours"), Map.entry("hr", "hours"), Map.entry("hrs", "hours"),
        Map.entry("d", "days"));
    private static final Pattern LENGTH = Pattern.compile("([0-9.]+)([a-zA-Z]+)");

    private TimeUnitNames()
    {
    }

    /** Whether a token is the name of a time unit. */
    static boolean isUnit(final Token token)
    {
        return token.kind() == Token.Kind.WORD && LENGTHS_NS.containsKey(token.text().toLowerCase(Locale.ROOT));
    }

    /** The length of a unit in nanoseconds, or {@code null}. */
    static Long lengthNs(final String name)
    {
        return LENGTHS_NS.get(name.toLowerCase(Locale.ROOT));
    }

    /** The full name of an abbreviated unit, or {@code null}. */
    static String fullName(final String abbreviation)
    {
        return ABBREVIATIONS.get(abbreviation.toLowerCase(Locale.ROOT));
    }

    /** A hint for a number with a unit suffix such as {@code 5s}, or {@code null}. */
    static String durationHint(final String number)
    {
        final Matcher parts = LENGTH.matcher(number);
        final String unit = parts.matches() ? fullName(parts.group(2)) : null;
        return unit == null ? null : "write " + length(parts.group(1), unit) + " if it is a duration";
    }

    /** A number with its unit in the singular or plural. */
    static String length(final String number, final String unit)
    {
        final String plain = unit.toLowerCase(Locale.ROOT);
        final String singular = plain.endsWith("s") ? plain.substring(0, plain.length() - 1) : plain;
        return number + ' ' + (number.equals("1") ? singular : singular + 's');
    }
}
