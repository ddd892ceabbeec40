package dev.millrace.server.deployment;

import dev.millrace.server.files.DomainFiles;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Marks on disk, one per starting application: marks found when an instance starts belong to applications that were
 * starting when the process ended. Files are {@code var/starting/start-NAME} for deployed applications and {@code
 * try-NAME} for a version that has not started yet. A mark that cannot be written is logged and does not prevent the
 * start. Thread-safe.
 */
final class StartMarks
{
    private static final Logger LOG = LoggerFactory.getLogger(StartMarks.class);

    private static final String SINCE = "since";

    private static final String CAUSE = "cause";

    private static final String BUNDLE = "bundle";

    private static final String BESIDE = "beside";

    private static final String BOOT = "boot";

    /** Identifies the boot of the operating system, where available. */
    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

    private final DomainFiles files;

    private final Path directory;

    private final String boot = boot();

    /** How often a mark was set and not cleared, by file name; guarded by this. */
    private final Map<String, Integer> open = new HashMap<>();

    /** Marks that remain after the end of the process; guarded by this. */
    private final Set<String> sealed = new HashSet<>();

    StartMarks(final DomainFiles files, final Path domain)
    {
        this.files = files;
        this.directory = domain.resolve("var").resolve("starting");
    }

    private static String boot()
    {
        try
        {
            return Files.isReadable(BOOT_ID) ? Files.readString(BOOT_ID).strip() : "";
        }
        catch (final IOException e)
        {
            LOG.debug("the boot id of the operating system is unknown", e);
            return "";
        }
    }

    /** Whether the operating system was rebooted after a mark was set, which explains the end of the process. */
    boolean isOfEarlierBoot(final Mark mark)
    {
        return !mark.boot().isEmpty() && !boot.isEmpty() && !mark.boot().equals(boot);
    }

    /** The kind of start. */
    enum Kind
    {
        /** A deployed application. */
        START,
        /** A version that has not started yet. */
        TRY;

        private String file(final String application)
        {
            return (this == START ? "start-" : "try-") + application;
        }
    }

    /**
     * A mark that was found.
     *
     * @param since  time when the start began
     * @param cause  why the process ended; empty when unknown
     * @param bundle digest of the bundle of a new version, otherwise empty
     * @param others names of all applications that were starting when the process ended, when there was more than one
     * @param boot   boot id of the operating system; empty when unknown
     */
    record Mark(String since, String cause, String bundle, Set<String> others, String boot)
    {
        Mark
        {
            others = Collections.unmodifiableSet(new TreeSet<>(others));
        }

        /** Returns a copy with the cause and the other suspects. */
        Mark accused(final String why, final Set<String> suspects)
        {
            return new Mark(since, why, bundle, suspects, boot);
        }
    }

    /** Sets a mark before code of an application runs; it is on disk when this method returns. */
    synchronized void set(final Kind kind, final String application, final String bundle)
    {
        final String file = kind.file(application);
        if (open.merge(file, 1, Integer::sum) == 1)
        {
            write(file, new Mark(Instant.now().truncatedTo(ChronoUnit.MILLIS).toString(), "", bundle, Set.of(), boot));
        }
    }

    /** Clears a mark: the application runs, waits or was rejected. */
    synchronized void clear(final Kind kind, final String application)
    {
        final String file = kind.file(application);
        final Integer count = open.get(file);
        if (count != null && count > 1)
        {
            open.put(file, count - 1);
        }
        else if (count != null)
        {
            forget(kind, application);
        }
    }

    /** Removes a mark, however often it was set. */
    synchronized void forget(final Kind kind, final String application)
    {
        open.remove(kind.file(application));
        if (sealed.contains(kind.file(application)))
        {
            return;
        }
        try
        {
            files.delete(directory.resolve(kind.file(application)));
        }
        catch (final IOException e)
        {
            LOG.error("SRV-0230: start mark cannot be removed, file={} reason={} hint: remove it by hand,"
                + " otherwise the next start skips the application", directory.resolve(kind.file(application)),
                e.toString());
        }
    }

    /** Writes the cause into a mark, so that the next start skips the application. */
    synchronized void accuse(final Kind kind, final String application, final Mark mark)
    {
        write(kind.file(application), mark);
    }

    /** Writes the cause into a mark while the process ends; the mark remains. */
    synchronized void seal(final Kind kind, final String application, final String cause)
    {
        final String file = kind.file(application);
        try
        {
            final Mark mark = read(directory.resolve(file));
            write(file, mark.accused(cause, Set.of()));
        }
        catch (final IOException e)
        {
            LOG.warn("start mark cannot be read, file={} reason={}", directory.resolve(file), e.toString());
        }
        sealed.add(file);
    }

    /** Returns the applications whose mark was set and not cleared. */
    synchronized Set<String> open(final Kind kind)
    {
        final String prefix = kind.file("");
        final Set<String> names = new TreeSet<>();
        open.keySet().stream().filter(file -> file.startsWith(prefix))
            .forEach(file -> names.add(file.substring(prefix.length())));
        return names;
    }

    /** Returns the existing marks, by application. */
    Map<String, Mark> read(final Kind kind) throws IOException
    {
        final Map<String, Mark> marks = new TreeMap<>();
        if (Files.isDirectory(directory))
        {
            final String prefix = kind.file("");
            try (DirectoryStream<Path> found = Files.newDirectoryStream(directory, prefix + "*"))
            {
                for (final Path file : found)
                {
                    marks.put(file.getFileName().toString().substring(prefix.length()), read(file));
                }
            }
        }
        return marks;
    }

    private static Mark read(final Path file) throws IOException
    {
        final Properties properties = new Properties();
        try
        {
            properties.load(new StringReader(Files.readString(file)));
        }
        catch (final IllegalArgumentException e)
        {
            LOG.warn("start mark is damaged; it is still treated as a mark, file={} reason={}", file, e.toString());
        }
        final String others = properties.getProperty(BESIDE, "");
        return new Mark(properties.getProperty(SINCE, ""), properties.getProperty(CAUSE, ""),
            properties.getProperty(BUNDLE, ""), others.isEmpty() ? Set.of() : Set.of(others.split(",")),
            properties.getProperty(BOOT, ""));
    }

    private void write(final String file, final Mark mark)
    {
        final Properties properties = new Properties();
        properties.setProperty(SINCE, mark.since());
        properties.setProperty(CAUSE, mark.cause());
        properties.setProperty(BUNDLE, mark.bundle());
        properties.setProperty(BESIDE, String.join(",", mark.others()));
        properties.setProperty(BOOT, mark.boot());
        try
        {
            final StringWriter text = new StringWriter();
            properties.store(text, "Exists while an application starts, to identify an application that ends the"
                + " process.");
            files.create(files.createDirectories(directory).resolve(file), text.toString());
        }
        catch (final IOException e)
        {
            LOG.warn("SRV-0231: start mark cannot be written, file={} reason={} hint: check free space and owner of"
                + " the domain directory; an application that ends the process now cannot be identified at the next"
                + " start",
                directory.resolve(file), e.toString());
        }
    }
}
