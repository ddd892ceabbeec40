package dev.millrace.tuning.kit;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Number and speed of clients, written {@code NxM}.
 *
 * @param clients      1 to {@value #MOST_CLIENTS}
 * @param eventsPerSec of each; 0 = as fast as possible
 */
record Rate(int clients, long eventsPerSec)
{
    static final int MOST_CLIENTS = 256;
    static final long MOST_EVENTS_PER_SEC = 100_000_000;

    private static final Pattern FORM = Pattern.compile("([0-9]{1,9})[xX]([0-9]{1,12})");

    /** For the command line. */
    static final class Converter implements ITypeConverter<Rate>
    {
        @Override
        public Rate convert(final String text)
        {
            return parse(text);
        }
    }

    /**
     * Parses a rate.
     *
     * @param text for example {@code 4x125000}
     * @throws TypeConversionException when it is invalid; the message describes the format
     */
    static Rate parse(final String text)
    {
        final Matcher parts = FORM.matcher(text);
        if (!parts.matches())
        {
            throw new TypeConversionException("'" + text + "' is not NxM: number of clients, the letter x, events " +
                "per second of each, for example 4x125000");
        }
        final long clients = Long.parseLong(parts.group(1));
        final long events = Long.parseLong(parts.group(2));
        if (clients < 1 || clients > MOST_CLIENTS || events > MOST_EVENTS_PER_SEC)
        {
            throw new TypeConversionException("'" + text + "' is out of range: 1 to " + MOST_CLIENTS +
                " clients, at most " + MOST_EVENTS_PER_SEC + " events per second each, 0 = as fast as possible");
        }
        return new Rate((int)clients, events);
    }

    /** Number of events that are due, by the time since the start. */
    long dueAt(final long sinceStartNs)
    {
        return eventsPerSec == 0 ? Long.MAX_VALUE : (long)(sinceStartNs / 1e9 * eventsPerSec);
    }

    /** When an event is due, since the start. */
    long dueNs(final long number)
    {
        return eventsPerSec == 0 ? 0 : (long)(number * 1e9 / eventsPerSec);
    }

    @Override
    public String toString()
    {
        return clients + "x" + eventsPerSec;
    }
}
