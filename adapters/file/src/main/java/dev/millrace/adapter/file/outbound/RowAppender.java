package dev.millrace.adapter.file.outbound;

import dev.millrace.adapter.common.sink.ReceivedRows;
import dev.millrace.adapter.file.property.FileErrorCode;
import dev.millrace.api.condition.StageConditions;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.BatchRejectedException;
import dev.millrace.api.stage.EventRejectedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends rows to the open file of a sink, and records which of them the disk contains. Thread-safe: the channel's
 * thread appends, the thread of {@link DiskCommitter} confirms and rotates.
 *
 * <p>Failure: rows that cannot be written wait if their numbers are stored, otherwise they are rejected.
 */
final class RowAppender
{
    private static final Logger LOG = LoggerFactory.getLogger(RowAppender.class);
    private static final long RETRY_MS = 500;
    /** Rotated files that wait for their conversion, until rows wait as well. */
    private static final int MAX_UNTIDY = 2;

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
    private final RowEncoding encoding;
    private final StageConditions conditions;
    private final LongSupplier nowMs;
    private final CountDownLatch ended = new CountDownLatch(1);
    /** Numbers that the disk contains, by name of the producer. */
    private volatile Map<String, Long> stored = Map.of();
    /** Guarded by this, like all that follows. */
    private final ReceivedRows received;
    private OutputFile file;
    private String foundHeader;
    private boolean isHeaderChecked;
    private boolean isDirty;
    private boolean isTidy;
    /** Number of the file up to which rotated files were given their last form, as far as that was possible. */
    private int tidied;
    /** Number of the file in the stored positions; those before it will not be truncated. */
    private int storedFile;
    private boolean isEnding;
    private String broken;
    private long written;
    private long dropped;
    private long rejected;
    private long commits;

    /** @param nowMs wall-clock time, for the age of the file */
    RowAppender(final SinkSettings settings, final RowEncoding encoding, final StageConditions conditions,
        final LongSupplier nowMs)
    {
        this.settings = settings;
        this.encoding = encoding;
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
        final OutputFile opened = new OutputFile(settings, encoding);
        try
        {
            final PositionFile found = settings.exactlyOnce() ? readPositions() : null;
            opened.open(found, nowMs.getAsLong());
            if (!settings.exactlyOnce() && Files.deleteIfExists(settings.positions()))
            {
                // A later sink with exactlyOnce would remove the rows that follow.
                LOG.warn("the stored positions are deleted, because exactlyOnce is not set, stage={} file={}",
                    settings.stageName(), settings.positions());
            }
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
        storedFile = opened.number();
        tidied = storedFile - 1;
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
        }
        return isDue();
    }

    private void append(final EventBatch batch, final int[] rows, final int count) throws EventRejectedException
    {
        if (broken != null)
        {
            throw rejection(count, broken, null);
        }
        final List<Object> refused = new ArrayList<>();
        final int selected;
        final ByteBuffer bytes;
        try
        {
            encoding.map(batch);
            selected = encoding.select(batch, rows, count, refused);
            bytes = selected > 0 ? encoding.encode(batch, rows, selected) : null;
        }
        catch (final EventRejectedException e)
        {
            rejected += count;
            throw e;
        }
        if (selected > 0)
        {
            write(bytes, selected);
        }
        isDirty = true;
        received.accept();
        written += selected;
        notifyAll();
        if (!refused.isEmpty())
        {
            rejected += refused.size();
            throw new BatchRejectedException(FileErrorCode.VALUE.message("the file has no room for values, stage=" +
                settings.stageName() + " rows=" + refused.size() + " first: " + refused.get(0),
                "set decimalScale, or round the values in a rule"), refused);
        }
    }

    private void write(final ByteBuffer bytes, final int count) throws EventRejectedException
    {
        boolean isWaiting = true;
        while (isWaiting)
        {
            try
            {
                checkHeader();
                file.append(file.length() == 0 ? encoding.header() : null, bytes, nowMs.getAsLong());
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
        if (foundHeader != null && encoding.header() != null && !foundHeader.equals(encoding.header()))
        {
            file.channel().force(true);
            file.reserveNumber();
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
        }
        isHeaderChecked = true;
    }

    /** Whether the file is large or old enough to be rotated. */
    synchronized boolean isDue()
    {
        return file.isDue(nowMs.getAsLong());
    }

    /**
     * Rotates the file. Must not be called while rows are being confirmed.
     *
     * @param isLast whether it is rotated if it has rows; otherwise, if it is due
     */
    synchronized void rotate(final boolean isLast)
    {
        if (broken != null || !(isLast ? file.length() > 0 : isDue()))
        {
            return;
        }
        try
        {
            file.channel().force(true);
            file.reserveNumber();
            final Map<String, Long> numbers = received.numbers();
            if (settings.exactlyOnce())
            {
                file.positions(numbers).write(settings.positions());
                stored = numbers;
            }
            final Path to = file.rotate(nowMs.getAsLong());
            isHeaderChecked = true;
            isDirty = true;
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

    /** Waits until rows are to be confirmed, or the file is to be rotated; returns false when the sink ends. */
    synchronized boolean awaitWork() throws InterruptedException
    {
        while (!isEnding && (!isDirty || broken != null))
        {
            wait(settings.rotateMillis() > 0 ? RETRY_MS : 0);
            if (isDue())
            {
                break;
            }
        }
        return !isEnding;
    }

    /** Waits for a time, or until the sink ends. */
    void awaitEnd(final long millis) throws InterruptedException
    {
        ended.await(millis, TimeUnit.MILLISECONDS);
    }

    /** Waits until rotated files are to be given their last form; returns false when the sink ends. */
    synchronized boolean awaitUntidy() throws InterruptedException
    {
        while (!isEnding && isTidy)
        {
            wait();
        }
        return !isEnding;
    }

    /** Waits while several files wait for their last form, because rows arrive faster than it is written. */
    synchronized void awaitRoom() throws InterruptedException
    {
        while (!isEnding && broken == null && file.number() - 1 - tidied > MAX_UNTIDY)
        {
            wait(RETRY_MS);
        }
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
        if (positions.number() > storedFile)
        {
            storedFile = positions.number();
            isTidy = false;
            notifyAll();
        }
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

    /** The number of the newest file to be compressed, converted or deleted; -1 if none is. */
    synchronized int takeUntidy()
    {
        if (isTidy)
        {
            return -1;
        }
        isTidy = true;
        return storedFile - 1;
    }

    /** The files up to a number have their last form, or cannot get it at present. */
    synchronized void tidied(final int last)
    {
        tidied = Math.max(tidied, last);
        notifyAll();
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
        ended.countDown();
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
