package dev.millrace.api.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The limit of open files of this process, and whether a connection may take one more of them. Connections that carry
 * events ask first, so that management, bundles and files always find some. Safe for all threads.
 *
 * <p>Where the operating system does not tell by {@code /proc/self}, as Linux does, there is no limit.
 */
public final class FileHandles
{
    /** Handles that connections with events leave to all others. */
    public static final int RESERVED = 32;

    /** What a limit means that is not known, or that there is none. */
    public static final long UNLIMITED = Long.MAX_VALUE;

    private static final Pattern LIMIT = Pattern.compile("(?m)^Max open files\\s+(\\d+)\\s");

    /** When none was left, one of so many of the limit refused calls counts again, for counting takes time, too. */
    private static final int HANDLES_PER_CALL = 256;

    /** Those of this process. */
    public static final FileHandles OF_PROCESS = new FileHandles(Path.of("/proc/self"));

    private final Path process;

    private final long limit;

    /** Handles that may be given away before they are counted again; guarded by this. */
    private long credit;

    private long refused;

    /** Reads a directory like {@code /proc/self}. */
    FileHandles(final Path process)
    {
        this.process = process;
        limit = readLimit(process);
    }

    private static long readLimit(final Path process)
    {
        try
        {
            final Matcher matcher = LIMIT.matcher(Files.readString(process.resolve("limits")));
            return matcher.find() ? Long.parseLong(matcher.group(1)) : UNLIMITED;
        }
        catch (final IOException e)
        {
            // Not this kind of system.
            return UNLIMITED;
        }
    }

    /**
     * The limit of open files.
     *
     * @return number, or {@link #UNLIMITED}
     */
    public long limit()
    {
        return limit;
    }

    /**
     * Takes a handle for a connection. Handles are counted when half of those that were left are given away, so a call
     * costs nothing while there are many.
     *
     * @return false when only reserved ones are left
     */
    public synchronized boolean tryTake()
    {
        if (limit == UNLIMITED)
        {
            return true;
        }
        if (credit <= 0 && refused % (limit / HANDLES_PER_CALL + 1) == 0)
        {
            credit = Math.max(0, (limit - RESERVED - open() + 1) / 2);
        }
        if (credit <= 0)
        {
            refused++;
            return false;
        }
        refused = 0;
        credit--;
        return true;
    }

    private long open()
    {
        final String[] names = process.resolve("fd").toFile().list();
        // No handle is left to read the directory with.
        return names == null ? limit : names.length;
    }

    /**
     * Whether a failure comes from the limit.
     *
     * @param failure of a file or a socket
     * @return true when there was no handle left
     */
    public static boolean isExhausted(final Throwable failure)
    {
        for (Throwable each = failure; each != null; each = each.getCause())
        {
            if (each.getMessage() != null && each.getMessage().contains("Too many open files"))
            {
                return true;
            }
        }
        return false;
    }

    /**
     * What to do about a failure.
     *
     * @param failure   of a file or a socket
     * @param otherwise hint when there are handles left
     * @return hint
     */
    public static String hint(final Throwable failure, final String otherwise)
    {
        return isExhausted(failure)
            ? "this process has no file handle left, limit=" + OF_PROCESS.limit + ", raise it (ulimit -n) or close"
                + " connections" : otherwise;
    }
}
