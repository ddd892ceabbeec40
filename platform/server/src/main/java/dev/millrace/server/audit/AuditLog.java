package dev.millrace.server.audit;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The log of changes and rejected requests, with user and address: {@code logs/audit.log}, one JSON object per line,
 * mode 0600. The file is rotated at 10 MiB and ten old files are kept. The log contains only names and codes, never the
 * content of requests. Thread-safe; a line is written to the file before the call returns.
 *
 * <p>Failure: {@link IOException} when a line cannot be written; no part of the line remains.
 */
public final class AuditLog implements AutoCloseable
{
    /** Size at which a file is rotated. */
    static final long MAX_FILE_BYTES = 10L << 20;

    /** Number of old files kept. */
    static final int OLD_FILES = 10;

    /**
     * Rejections per minute with a line each. Further ones are only counted, so that password guessing does not
     * displace changes.
     */
    static final int MAX_REFUSALS_PER_MINUTE = 60;

    private static final long MINUTE_NS = TimeUnit.MINUTES.toNanos(1);

    /** Longer values are truncated. */
    private static final int MAX_TEXT = 300;

    private static final DateTimeFormatter TIME =
        DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    private final Gson gson = new GsonBuilder().disableHtmlEscaping().serializeNulls().create();

    private final Path file;

    private final Clock clock;

    private final long maxFileBytes;

    private FileChannel channel;

    private long sizeBytes;

    private long windowStartNs = System.nanoTime();

    private int refusals;

    private Entry lastRefusal;

    private long unwritten;

    /**
     * An event.
     *
     * @param event  name of the event, for example {@code app.install}
     * @param user   a name in {@code config/users}, {@code token}, {@code cluster}, {@code signal}, or {@code unknown}
     * @param peer   address and port of the caller; {@code -} without a caller
     * @param target name of the changed object
     * @param result {@code begun}, {@code done}, {@code refused} or {@code failed}
     * @param code   code of the message on failure; null otherwise
     */
    public record Entry(String event, String user, String peer, String target, String result, String code)
    {
        /**
         * Returns the same event with its result.
         *
         * @param newCode code; null on success
         */
        public Entry ended(final String newTarget, final String newResult, final String newCode)
        {
            return new Entry(event, user, peer, newTarget, newResult, newCode);
        }
    }

    private AuditLog(final Path file, final Clock clock, final long maxFileBytes)
    {
        this.file = file;
        this.clock = clock;
        this.maxFileBytes = maxFileBytes;
    }

    /**
     * Opens the log of a domain; existing lines are kept.
     *
     * @param logs directory of logs
     */
    public static AuditLog open(final Path logs) throws IOException
    {
        return open(logs, Clock.systemUTC(), MAX_FILE_BYTES);
    }

    static AuditLog open(final Path logs, final Clock clock, final long maxFileBytes) throws IOException
    {
        Files.createDirectories(logs, PosixFilePermissions.asFileAttribute(
            PosixFilePermissions.fromString("rwx------")));
        final AuditLog log = new AuditLog(logs.resolve("audit.log"), clock, maxFileBytes);
        synchronized (log)
        {
            log.openFile();
        }
        return log;
    }

    private void openFile() throws IOException
    {
        if (Files.notExists(file))
        {
            // The mode is set when the file is created, so that other users can never read it.
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        }
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        channel = FileChannel.open(file, StandardOpenOption.WRITE);
        sizeBytes = channel.size();
    }

    /** @throws IOException when it cannot be written */
    public synchronized void write(final Entry entry) throws IOException
    {
        write(entry, 0);
    }

    /**
     * Writes a rejection. Above the limit per minute, rejections are counted in the next line of their kind.
     *
     * @throws IOException when it cannot be written
     */
    public synchronized void writeRefusal(final Entry entry) throws IOException
    {
        if (System.nanoTime() - windowStartNs > MINUTE_NS)
        {
            windowStartNs = System.nanoTime();
            refusals = 0;
            flushRefusals();
        }
        if (refusals < MAX_REFUSALS_PER_MINUTE)
        {
            refusals++;
            write(entry, 0);
        }
        else
        {
            unwritten++;
            lastRefusal = entry;
        }
    }

    private void flushRefusals() throws IOException
    {
        if (unwritten > 0)
        {
            final long count = unwritten;
            write(lastRefusal, count);
            unwritten = 0;
        }
    }

    private void write(final Entry entry, final long count) throws IOException
    {
        final Map<String, Object> line = new LinkedHashMap<>();
        line.put("time", TIME.format(clock.instant()));
        line.put("event", cut(entry.event));
        line.put("user", cut(entry.user));
        line.put("peer", cut(entry.peer));
        line.put("target", cut(entry.target));
        line.put("result", entry.result);
        line.put("code", entry.code);
        if (count > 0)
        {
            line.put("count", count);
        }
        append((gson.toJson(line) + '\n').getBytes(StandardCharsets.UTF_8));
    }

    private static String cut(final String text)
    {
        return text == null || text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT) + "...";
    }

    private void append(final byte[] line) throws IOException
    {
        if (channel == null || !channel.isOpen())
        {
            // A thread was interrupted while it wrote, which closes the file.
            openFile();
        }
        if (sizeBytes + line.length > maxFileBytes)
        {
            turnOver();
        }
        final ByteBuffer bytes = ByteBuffer.wrap(line);
        try
        {
            long position = sizeBytes;
            while (bytes.hasRemaining())
            {
                position += channel.write(bytes, position);
            }
            sizeBytes = position;
        }
        catch (final IOException e)
        {
            cutOff(e);
            throw e;
        }
    }

    /** Truncates a partial line, for example on a full disk, because it would corrupt the next line. */
    private void cutOff(final IOException e)
    {
        try
        {
            channel.truncate(sizeBytes);
        }
        catch (final IOException another)
        {
            e.addSuppressed(another);
        }
    }

    private void turnOver() throws IOException
    {
        channel.close();
        for (int i = OLD_FILES - 1; i >= 1; i--)
        {
            if (Files.exists(old(i)))
            {
                Files.move(old(i), old(i + 1), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        Files.move(file, old(1), StandardCopyOption.REPLACE_EXISTING);
        openFile();
    }

    private Path old(final int number)
    {
        return file.resolveSibling("audit." + number + ".log");
    }

    /** Writes the count of rejections and closes the file. */
    @Override
    public synchronized void close() throws IOException
    {
        try
        {
            flushRefusals();
        }
        finally
        {
            channel.close();
        }
    }
}
