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
 * Marks on disk, one for each application that is being started: those that are there when an instance starts belong
 * to applications that were starting when the process ended. Files {@code var/starting/start-NAME} for what is
 * deployed, {@code try-NAME} for a version that has not proved itself. Safe for all threads. A mark that cannot be
 * written is logged and does not keep an application from starting.
 */
final class StartMarks
{
    private static final Logger LOG = LoggerFactory.getLogger(StartMarks.class);

    private static final String SINCE = "since";

    private static final String CAUSE = "cause";

    private static final String BUNDLE = "bundle";

    private static final String BESIDE = "beside";

    private static final String BOOT = "boot";

    /** Tells one run of the operating system from the next, where it has such a thing. */
    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

    private final DomainFiles files;

    private final Path directory;

    private final String boot = boot();

    /** How often a mark was set and not taken away, by name of its file; guarded by this. */
    private final Map<String, Integer> open = new HashMap<>();

    /** Marks that last beyond the end of the process; guarded by this. */
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
            LOG.debug("the run of the operating system is not known", e);
            return "";
        }
    }

    /** Whether the operating system was started again after a mark was set, which explains the end of the process. */
    boolean isOfEarlierBoot(final Mark mark)
    {
        return !mark.boot().isEmpty() && !boot.isEmpty() && !mark.boot().equals(boot);
    }

    /** What was being started. */
    enum Kind
    {
        /** What is deployed. */
        START,
        /** A version that has not proved itself. */
        TRY;

        private String file(final String application)
        {
            return (this == START ? "start-" : "try-") + application;
        }
    }

    /**
     * A mark that was found.
     *
     * @param since  when the start began
     * @param cause  why the process ended, empty when nobody could say
     * @param bundle digest of the bundle of a trial, otherwise empty
     * @param beside names of all that were starting when the process ended, when that was more than one
     * @param boot   run of the operating system; empty when it is not known
     */
    record Mark(String since, String cause, String bundle, Set<String> beside, String boot)
    {
        Mark
        {
            beside = Collections.unmodifiableSet(new TreeSet<>(beside));
        }

        /** The same with the cause, and with those that it may have been as well. */
        Mark accused(final String why, final Set<String> suspects)
        {
            return new Mark(since, why, bundle, suspects, boot);
        }
    }

    /** Code of an application runs from now on; the mark is on the disk when this returns. */
    synchronized void set(final Kind kind, final String application, final String bundle)
    {
        final String file = kind.file(application);
        if (open.merge(file, 1, Integer::sum) == 1)
        {
            write(file, new Mark(Instant.now().truncatedTo(ChronoUnit.MILLIS).toString(), "", bundle, Set.of(), boot));
        }
    }

    /** It runs, waits or was refused. */
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
            LOG.error("SRV-0230: mark of a start cannot be removed, file={} reason={} hint: remove it by hand,"
                + " otherwise the next start leaves the application out", directory.resolve(kind.file(application)),
                e.toString());
        }
    }

    /** Says why the process ends: at the next start the application is left out. */
    synchronized void accuse(final Kind kind, final String application, final Mark mark)
    {
        write(kind.file(application), mark);
    }

    /** Says why the process ends now; the mark stays. */
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
            LOG.warn("mark of a start cannot be read, file={} reason={}", directory.resolve(file), e.toString());
        }
        sealed.add(file);
    }

    /** Applications whose mark was set and not taken away. */
    synchronized Set<String> open(final Kind kind)
    {
        final String prefix = kind.file("");
        final Set<String> names = new TreeSet<>();
        open.keySet().stream().filter(file -> file.startsWith(prefix))
            .forEach(file -> names.add(file.substring(prefix.length())));
        return names;
    }

    /** The marks that are there, by application. */
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
            LOG.warn("mark of a start is damaged and counts as one, file={} reason={}", file, e.toString());
        }
        final String beside = properties.getProperty(BESIDE, "");
        return new Mark(properties.getProperty(SINCE, ""), properties.getProperty(CAUSE, ""),
            properties.getProperty(BUNDLE, ""), beside.isEmpty() ? Set.of() : Set.of(beside.split(",")),
            properties.getProperty(BOOT, ""));
    }

    private void write(final String file, final Mark mark)
    {
        final Properties properties = new Properties();
        properties.setProperty(SINCE, mark.since());
        properties.setProperty(CAUSE, mark.cause());
        properties.setProperty(BUNDLE, mark.bundle());
        properties.setProperty(BESIDE, String.join(",", mark.beside()));
        properties.setProperty(BOOT, mark.boot());
        try
        {
            final StringWriter text = new StringWriter();
            properties.store(text, "Made while an application starts, so that one that ends the process is known.");
            files.create(files.createDirectories(directory).resolve(file), text.toString());
        }
        catch (final IOException e)
        {
            LOG.warn("SRV-0231: mark of a start cannot be written, file={} reason={} hint: look at room and owner of"
                + " the domain directory; an application that ends the process now is not known at the next start",
                directory.resolve(file), e.toString());
        }
    }
}
