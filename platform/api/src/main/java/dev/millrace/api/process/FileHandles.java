package dev.millrace.api.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The limit of open files of this process, and whether a connection may use one more of them. Connections that carry
 * events check first, so that management, bundles and files always find some. Thread-safe.
 *
 * <p>Where the operating system has no {@code /proc/self}, as Linux does, no limit applies.
 */
public final class FileHandles
{
    /** Handles that connections with events leave for other uses. */
    public static final int RESERVED = 32;

    /** Limit that is unknown or does not exist. */
    public static final long UNLIMITED = Long.MAX_VALUE;

    private static final Pattern LIMIT = Pattern.compile("(?m)^Max open files\\s+(\\d+)\\s");

    /**
     * When no handle is left, one refused call in {@code limit / HANDLES_PER_CALL + 1} counts again, because counting
     * takes time.
     */
    private static final int HANDLES_PER_CALL = 256;

    /** File handles of this process. */
    public static final FileHandles OF_PROCESS = new FileHandles(Path.of("/proc/self"));

    private final Path process;

    private final long limit;

    /** Handles that may be granted before they are counted again; guarded by this. */
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
            // An operating system without /proc/self.
            return UNLIMITED;
        }
    }

    /**
     * Returns the limit of open files.
     *
     * @return number, or {@link #UNLIMITED}
     */
    public long limit()
    {
        return limit;
    }

    /**
     * Takes a handle for a connection. Handles are counted again after half of the remaining ones were granted, so a
     * call is cheap while there are many.
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
        // No handle is left for reading the directory.
        return names == null ? limit : names.length;
    }

    /**
     * Whether a failure was caused by the limit.
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
     * Returns what to do about a failure.
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
