package dev.millrace.adapter.file.outbound;

import dev.millrace.adapter.common.encode.EventFormatter;
import dev.millrace.adapter.file.property.FileErrorCode;
import dev.millrace.api.condition.StageConditions;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventRejectedException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends rows to the open file of a sink, and knows which of them the disk contains. Thread-safe: the channel's thread
 * appends, the thread of {@link DiskCommitter} confirms and rotates.
 *
 * <p>Failure: rows that cannot be written wait if their numbers are stored, otherwise they are rejected.
 */
final class RowAppender
{
    private static final Logger LOG = LoggerFactory.getLogger(RowAppender.class);
    private static final long RETRY_MS = 500;

    /**
     * Rows that the disk may not contain yet.
     *
     * @param channel   of the file that contains them
     * @param positions to store when the disk contains them
     */
    record Unconfirmed(FileChannel channel, PositionFile positions)
    {
    }

    private final SinkSettings settings;
    private final EventFormatter formatter;
    private final StageConditions conditions;
    private final LongSupplier nowMs;
    /** Numbers that the disk contains, by name of the producer. */
    private volatile Map<String, Long> stored = Map.of();
    /** Guarded by this, like all that follows. */
    private final ReceivedRows received;
    private OutputFile file;
    private String foundHeader;
    private boolean isHeaderChecked;
    private boolean isDirty;
    private boolean isTidy;
    private boolean isEnding;
    private String broken;
    private long written;
    private long dropped;
    private long rejected;
    private long commits;

    /** @param nowMs wall-clock time, for the age of the file */
    RowAppender(final SinkSettings settings, final EventFormatter formatter, final StageConditions conditions,
        final LongSupplier nowMs)
    {
        this.settings = settings;
        this.formatter = formatter;
        this.conditions = conditions;
        this.nowMs = nowMs;
        received = new ReceivedRows(settings.exactlyOnce());
    }

    /**
     * Opens the file and continues it.
     *
     * @return its length
     */
    synchronized long open() throws IOException
    {
        final OutputFile opened = new OutputFile(settings);
        try
        {
            final PositionFile found = settings.exactlyOnce() ? readPositions() : null;
            opened.open(found, nowMs.getAsLong());
            if (settings.exactlyOnce())
            {
                stored = found == null ? Map.of() : found.producers();
                opened.positions(stored).write(settings.positions());
            }
            foundHeader = opened.firstLine();
        }
        catch (final IOException e)
        {
            opened.close();
            throw e.getMessage() != null && e.getMessage().startsWith("FIL-") ? e : new IOException(
                FileErrorCode.OPEN.message("the file cannot be opened, stage=" + settings.stageName() + " file=" +
                settings.file() + " reason=" + e, "correct the path or the permissions"), e);
        }
        received.restore(stored);
        file = opened;
        return opened.length();
    }

    private PositionFile readPositions() throws IOException
    {
        try
        {
            return PositionFile.read(settings.positions());
        }
        catch (final IOException | RuntimeException e)
        {
            throw new IOException(FileErrorCode.POSITIONS.message("the stored positions cannot be read, file=" +
                settings.positions() + " reason=" + e.getMessage(), "restore the file; or delete it: rows may then " +
                "be missing or repeated once"), e);
        }
    }

    /**
     * Appends the rows that were not received before.
     *
     * @return whether the file is due to be rotated
     */
    synchronized boolean append(final EventBatch batch) throws EventRejectedException
    {
        final int[] rows = new int[batch.size()];
        final int count = received.select(batch, rows);
        dropped += batch.size() - count;
        if (count > 0)
        {
            append(batch, rows, count);
            received.accept();
            written += count;
            isDirty = true;
            notifyAll();
        }
        return isDue();
    }

    private void append(final EventBatch batch, final int[] rows, final int count) throws EventRejectedException
    {
        if (broken != null)
        {
            throw rejection(count, broken, null);
        }
        try
        {
            formatter.map(batch);
        }
        catch (final EventRejectedException e)
        {
            rejected += count;
            throw e;
        }
        final StringBuilder lines = new StringBuilder();
        for (int i = 0; i < count; i++)
        {
            formatter.append(batch, rows[i], lines);
        }
        write(lines, count);
    }

    private void write(final StringBuilder lines, final int count) throws EventRejectedException
    {
        boolean isWaiting = true;
        while (isWaiting)
        {
            try
            {
                checkHeader();
                file.append(StandardCharsets.UTF_8.encode(file.length() > 0 || formatter.header() == null ?
                    lines.toString() : formatter.header() + '\n' + lines));
                conditions.clear(FileErrorCode.WRITE.text());
                isWaiting = false;
            }
            catch (final IOException e)
            {
                final String message = FileErrorCode.WRITE.message("rows cannot be written, stage=" +
                    settings.stageName() + " file=" + settings.file() + " reason=" + e.getMessage(),
                    settings.exactlyOnce() ? "free space: the rows wait" : "free space: these rows are rejected");
                conditions.raise(FileErrorCode.WRITE.text(), message);
                pause(count, message, e);
            }
        }
    }

    private EventRejectedException rejection(final int count, final String message, final IOException cause)
    {
        rejected += count;
        return new EventRejectedException(message, cause);
    }

    /** Lets rows with stored numbers wait until they can be written; rejects others. */
    private void pause(final int count, final String message, final IOException cause) throws EventRejectedException
    {
        try
        {
            if (settings.exactlyOnce() && !isEnding)
            {
                wait(RETRY_MS);
                return;
            }
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
        throw rejection(count, message, cause);
    }

    /** A file with other columns, of an earlier version of the application, is rotated. */
    private void checkHeader() throws IOException
    {
        if (isHeaderChecked)
        {
            return;
        }
        if (foundHeader != null && formatter.header() != null && !foundHeader.equals(formatter.header()))
        {
            file.channel().force(true);
            if (settings.exactlyOnce())
            {
                file.positions(stored).write(settings.positions());
            }
            LOG.info("the file has other columns and is rotated, stage={} file={} rotated={}", settings.stageName(),
                settings.file(), file.rotate(nowMs.getAsLong()));
            if (settings.exactlyOnce())
            {
                file.positions(stored).write(settings.positions());
            }
            isTidy = false;
        }
        isHeaderChecked = true;
    }

    /** Whether the file is large or old enough to be rotated. */
    synchronized boolean isDue()
    {
        return file.isDue(nowMs.getAsLong());
    }

    /** Rotates the file if it is due. Must not be called while rows are being confirmed. */
    synchronized void rotate()
    {
        if (broken != null || !isDue())
        {
            return;
        }
        try
        {
            file.channel().force(true);
            final Map<String, Long> numbers = received.numbers();
            if (settings.exactlyOnce())
            {
                file.positions(numbers).write(settings.positions());
                stored = numbers;
            }
            final Path to = file.rotate(nowMs.getAsLong());
            isHeaderChecked = true;
            isDirty = true;
            isTidy = false;
            LOG.info("file rotated, stage={} rotated={}", settings.stageName(), to);
            notifyAll();
        }
        catch (final IOException e)
        {
            conditions.raise(FileErrorCode.ROTATED.text(), FileErrorCode.ROTATED.message(
                "the file cannot be rotated, stage=" + settings.stageName() + " file=" + settings.file() +
                " reason=" + e.getMessage(), "correct the cause: rows are written to the same file"));
        }
    }

    /** Waits until rows are to be confirmed, or a file is to be rotated or tidied; returns false when the sink ends. */
    synchronized boolean awaitWork() throws InterruptedException
    {
        while (!isEnding && (!isDirty || broken != null) && isTidy)
        {
            wait(settings.rotateMillis() > 0 ? RETRY_MS : 0);
            if (isDue())
            {
                break;
            }
        }
        return !isEnding;
    }

    /** The rows written since the last call, which the caller is to confirm; {@code null} if nothing was written. */
    synchronized Unconfirmed takeUnconfirmed()
    {
        if (!isDirty || broken != null)
        {
            return null;
        }
        isDirty = false;
        return new Unconfirmed(file.channel(), file.positions(received.numbers()));
    }

    /** Records that the disk contains rows and, if they are stored, their numbers. */
    synchronized void confirm(final PositionFile positions)
    {
        if (settings.exactlyOnce())
        {
            stored = positions.producers();
        }
        commits++;
    }

    /** After a failed write to the disk, the operating system does not tell which bytes it contains. */
    synchronized void fail(final IOException e)
    {
        final String message = FileErrorCode.SYNC.message("the disk has not confirmed rows, stage=" +
            settings.stageName() + " file=" + settings.file() + " reason=" + e.getMessage(), "correct the cause and " +
            "restart the application, which " + (settings.exactlyOnce() ? "writes the unconfirmed rows again" :
            "continues the file; the last rows may be missing"));
        broken = message;
        conditions.raise(FileErrorCode.SYNC.text(), message);
        LOG.error(message);
        notifyAll();
    }

    /** The number of the newest rotated file if files are to be compressed or deleted; otherwise -1. */
    synchronized int takeUntidy()
    {
        if (isTidy)
        {
            return -1;
        }
        isTidy = true;
        return file.number() - 1;
    }

    /** Numbers that the disk contains, by name of the producer. */
    Map<String, Long> stored()
    {
        return stored;
    }

    /** Ends all waits. */
    synchronized void end()
    {
        isEnding = true;
        notifyAll();
    }

    synchronized void close() throws IOException
    {
        file.close();
    }

    synchronized Map<String, Object> statistics()
    {
        final Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("written", written);
        figures.put("repeated", dropped);
        figures.put("rejected", rejected);
        figures.put("commits", commits);
        figures.put("fileBytes", file == null ? 0 : file.length());
        figures.put("rotatedFiles", file == null ? 0 : file.number() - 1);
        figures.put("trouble", broken == null ? "" : broken);
        return figures;
    }
}
