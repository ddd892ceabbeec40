package dev.millrace.command.app;

import java.util.regex.Pattern;

/**
 * Selects the lines of one application in a server's log: lines of its threads, which have its name, lines that contain
 * its name, and subsequent lines without a time, such as stack traces. Not thread-safe.
 */
final class ApplicationLogFilter
{
    private static final Pattern BEGINNING = Pattern.compile("\\d{4}-\\d{2}-\\d{2}[ T]\\d{2}:\\d{2}:\\d{2}.*");

    private final Pattern named;
    private boolean last;

    ApplicationLogFilter(final String application)
    {
        named = Pattern.compile("(?:(?<![A-Za-z0-9._-])|(?<=millrace-[a-z]{1,12}-))" + Pattern.quote(application) +
            "(?![A-Za-z0-9_-]|\\.[A-Za-z0-9])");
    }

    boolean accepts(final String line)
    {
        if (BEGINNING.matcher(line).matches())
        {
            last = named.matcher(line).find();
        }
        return last;
    }
}
