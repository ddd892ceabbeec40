package dev.millrace.server.config;

import dev.millrace.journal.JournalSettings;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the event store, and refuses those of other products. Not thread-safe. */
final class EventStoreReader
{
    private static final String DEFAULT_NAME = "events";
    private static final Pattern SIZE = Pattern.compile("(\\d{1,9})([kmgKMG])");
    /** Files of a quarter of this size are written in few steps. */
    private static final long LEAST_BYTES = 16L << 20;

    private static final Pattern PREFIX = Pattern.compile("[A-Za-z][A-Za-z0-9_]{0,19}");
    private static final int BATCH_ROWS = 1_000;
    private static final int MAX_BATCH_ROWS = 100_000;
    private static final long BUFFER_BYTES = 16L << 20;
    private static final long LEAST_BUFFER_BYTES = 1L << 20;

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
        once(element);
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
        return new EventStoreSettings(name, directory, maxBytes, minFreeBytes, null);
    }

    /** Reports a second event store. */
    void once(final XmlElement element)
    {
        if (isRead)
        {
            problems.add("SRV-0156", element, "there are two event stores", "a server has one; remove this element");
        }
        isRead = true;
    }

    /**
     * Reads the event store in a database.
     *
     * @param sources the data sources of the file
     */
    EventStoreSettings readTables(final XmlElement element, final List<DataSourceSettings> sources)
    {
        String name = DEFAULT_NAME;
        String source = "";
        String prefix = "millrace_";
        int batchSize = BATCH_ROWS;
        long bufferBytes = BUFFER_BYTES;
        for (final XmlElement child : element.children())
        {
            switch (child.name())
            {
                case "name" -> name = child.text().isEmpty() ? missing(child, name) : child.text();
                case "data-source-name" -> source = child.text();
                case "table-prefix" -> prefix = prefix(child, prefix);
                case "batch-size" -> batchSize = problems.number(child, 1, MAX_BATCH_ROWS, batchSize);
                case "buffer-size" -> bufferBytes = size(child, LEAST_BUFFER_BYTES, bufferBytes);
                case "init-timeout" -> problems.addNotUsed(child);
                case "user-policy-attributes" -> problems.add("SRV-0157", child,
                    "event stores have no attributes of users, element=" + child.name(), "remove the element");
                default -> problems.addUnknown(child);
            }
        }
        final String wanted = source;
        if (sources.stream().noneMatch(each -> each.name().equals(wanted) || each.jndiNames().contains(wanted)))
        {
            problems.add("SRV-0156", element, "the event store needs a data source of this file, data-source-name=" +
                source, sources.isEmpty() ? "add a data-source element; see adapters/jdbc/README.md" :
                "write one of: " + String.join(", ", sources.stream().map(DataSourceSettings::name).toList()));
        }
        return new EventStoreSettings(name, null, 0, 0,
            new EventStoreSettings.Tables(source, prefix, batchSize, bufferBytes));
    }

    private String prefix(final XmlElement element, final String otherwise)
    {
        if (PREFIX.matcher(element.text()).matches())
        {
            return element.text();
        }
        problems.add("SRV-0156", element, "not the beginning of names of tables, table-prefix=" + element.text(),
            "write a letter and up to 19 letters, digits and '_'");
        return otherwise;
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
            case "rdbms-event-store-provider" -> "an element event-store describes files";
            default -> "event stores of other providers cannot be used";
        };
        problems.add("SRV-0157", element, why + ", element=" + element.name(), element.name().startsWith("rdbms") ?
            "write the element next to event-store instead of it" : "remove the element, and add <event-store><name>" +
            DEFAULT_NAME + "</name></event-store>: events are recorded in files of the domain; " +
            "rdbms-event-store-provider records in tables of a database");
    }
}
