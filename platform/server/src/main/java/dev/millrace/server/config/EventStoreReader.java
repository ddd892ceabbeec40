package dev.millrace.server.config;

import dev.millrace.journal.JournalSettings;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the event store, and refuses those of other products. Not thread-safe. */
final class EventStoreReader
{
    private static final String DEFAULT_NAME = "events";
    private static final Pattern SIZE = Pattern.compile("(\\d{1,9})([kmgKMG])");
    /** Files of a quarter of this size are written in few steps. */
    private static final long LEAST_BYTES = 16L << 20;

    private final Path domain;
    private final ConfigurationProblems problems;
    private boolean isRead;

    /**
     * @param domain   directory of the domain, absolute
     * @param problems receives errors
     */
    EventStoreReader(final Path domain, final ConfigurationProblems problems)
    {
        this.domain = domain;
        this.problems = problems;
    }

    EventStoreSettings read(final XmlElement element)
    {
        if (isRead)
        {
            problems.add("SRV-0156", element, "there are two event stores", "a server has one; remove this element");
        }
        isRead = true;
        String name = DEFAULT_NAME;
        Path directory = domain.resolve("var").resolve("events");
        long maxBytes = JournalSettings.MAX_BYTES;
        long minFreeBytes = JournalSettings.MIN_FREE_BYTES;
        for (final XmlElement child : element.children())
        {
            switch (child.name())
            {
                case "name" -> name = child.text().isEmpty() ? missing(child, name) : child.text();
                case "directory" -> directory = directory(child, directory);
                case "max-size" -> maxBytes = size(child, LEAST_BYTES, maxBytes);
                case "min-free-space" -> minFreeBytes = size(child, 0, minFreeBytes);
                case "bdb-config", "rdbms-event-store-provider", "user-event-store-provider" -> refuse(child);
                default -> problems.addUnknown(child);
            }
        }
        return new EventStoreSettings(name, directory, maxBytes, minFreeBytes);
    }

    private String missing(final XmlElement element, final String otherwise)
    {
        problems.add("SRV-0156", element, "the event store has an empty name",
            "write the name that provider-name of applications uses, or remove the element for " + DEFAULT_NAME);
        return otherwise;
    }

    private Path directory(final XmlElement element, final Path otherwise)
    {
        final String text = problems.resolved(element);
        try
        {
            if (!text.isEmpty())
            {
                return domain.resolve(text).normalize();
            }
        }
        catch (final InvalidPathException e)
        {
            // Reported below, like an empty path.
        }
        problems.add("SRV-0156", element, "not a directory for an event store, directory=" + text,
            "write a path, absolute or relative to the directory of the domain; or remove it for var/events");
        return otherwise;
    }

    private long size(final XmlElement element, final long least, final long otherwise)
    {
        final Matcher size = SIZE.matcher(element.text());
        final long bytes = size.matches() ? Long.parseLong(size.group(1)) << shift(size.group(2)) : -1;
        if (bytes >= least)
        {
            return bytes;
        }
        problems.add("SRV-0156", element, "not a size, " + element.name() + '=' + element.text(),
            "write a size such as 500m or 64g" + (least == 0 ? "" : ", at least " + (least >> 20) + 'm'));
        return otherwise;
    }

    private static int shift(final String unit)
    {
        return switch (unit)
        {
            case "k", "K" -> 10;
            case "m", "M" -> 20;
            default -> 30;
        };
    }

    /** Refuses a store that does not exist here: events would not be where they are expected. */
    void refuse(final XmlElement element)
    {
        final String why = switch (element.name())
        {
            case "bdb-config" -> "events are not recorded in Berkeley DB";
            case "rdbms-event-store-provider" -> "events are not recorded in databases";
            default -> "event stores of other providers cannot be used";
        };
        problems.add("SRV-0157", element, why + ", element=" + element.name(), "remove the element, and add " +
            "<event-store><name>" + DEFAULT_NAME + "</name></event-store>: events are recorded in files of the domain" +
            (element.name().startsWith("rdbms") ? "; the adapter jdbc writes events to tables" : ""));
    }
}
