package dev.millrace.server.eventstore;

import dev.millrace.network.durable.RecordDecoder;
import dev.millrace.network.spi.DatasetLog;
import dev.millrace.network.spi.EventStoreException;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rows of a recording that the database does not contain yet. The thread that emits rows adds them; a thread of
 * this object writes them in transactions of several batches, and repeats a failed one with growing delays.
 *
 * <p>Thread-safe. Failure: a full buffer, or a statement that the database refuses, ends the recording. Rows that are
 * buffered then are still written if the database becomes available, except after a refusal.
 */
final class DatasetBuffer implements DatasetLog
{
    private static final Logger LOG = LoggerFactory.getLogger(DatasetBuffer.class);
    private static final long FIRST_DELAY_MS = 100;
    private static final long MAX_DELAY_MS = 30_000;
    private static final int KIB = 1 << 10;

    private final DatabaseSettings settings;
    private final String dataset;
    private final RowWriter writer;
    private final Runnable finished;
    private final RecordDecoder counting = new RecordDecoder();
    /** Includes the records that are being written. Guarded by this, like all that follows. */
    private final Deque<byte[]> records = new ArrayDeque<>();
    private long bytes;
    private long appended;
    /** Records that are stored or lost. */
    private long done;
    private String holder;
    private boolean ending;
    private String problem;
    private EventStoreException failure;
    private long lostRows;

    /**
     * @param holder   the stage that records
     * @param finished called by the thread at its end
     */
    DatasetBuffer(final DatabaseSettings settings, final String dataset, final RowWriter writer, final String holder,
        final Runnable finished)
    {
        this.settings = settings;
        this.dataset = dataset;
        this.writer = writer;
        this.holder = holder;
        this.finished = finished;
    }

    void start()
    {
        final Thread thread = new Thread(this::run, "millrace-record-" + dataset);
        thread.setDaemon(true);
        thread.start();
    }

    /** The stage that records; {@code null} if only buffered rows are written. */
    synchronized String holder()
    {
        return holder;
    }

    /** Lets another recording continue while rows of the one before are written; false if it is too late. */
    synchronized boolean reopen(final String next)
    {
        if (ending || failure != null)
        {
            return false;
        }
        holder = next;
        return true;
    }

    @Override
    public synchronized void append(final byte[] record, final int length)
    {
        if (failure != null)
        {
            throw failure;
        }
        if (bytes + length > settings.bufferBytes())
        {
            throw new EventStoreException(EventStoreErrorCode.FULL, "the buffer of the recording is full, dataset=" +
                dataset + " buffer-size=" + bytes / KIB + "k cause=" +
                (problem == null ? "the database stores rows more slowly than they are recorded" : problem) +
                "; rows in the buffer are stored when it is possible", null);
        }
        final byte[] copy = new byte[length];
        System.arraycopy(record, 0, copy, 0, length);
        records.add(copy);
        bytes += length;
        appended++;
        notifyAll();
    }

    @Override
    public void onFileStart(final Runnable action)
    {
        // A table has one description.
    }

    @Override
    public synchronized String problem()
    {
        return failure == null ? problem : failure.getMessage();
    }

    @Override
    public synchronized long lostRows()
    {
        return lostRows;
    }

    @Override
    public synchronized void close()
    {
        holder = null;
        notifyAll();
    }

    /**
     * Waits until the database contains all rows that were appended before.
     *
     * @return false after the time
     */
    synchronized boolean flush(final long timeoutMs)
    {
        final long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        final long awaited = appended;
        try
        {
            while (done < awaited && System.nanoTime() < endNs)
            {
                wait(Math.max(1, TimeUnit.NANOSECONDS.toMillis(endNs - System.nanoTime())));
            }
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
        return done >= awaited;
    }

    /** Gives up rows that are not stored; ends the thread. */
    synchronized void abandon()
    {
        if (!records.isEmpty())
        {
            lose(new EventStoreException(EventStoreErrorCode.PENDING, "the server stops before the database contains " +
                "all recorded rows, dataset=" + dataset + " cause=" + problem, null));
        }
        holder = null;
        notifyAll();
    }

    private void lose(final EventStoreException cause)
    {
        long rows = 0;
        for (final byte[] record : records)
        {
            rows += RowWriter.rowCount(counting, record);
        }
        lostRows += rows;
        records.clear();
        bytes = 0;
        done = appended;
        failure = cause;
        LOG.warn("{} rows={}", cause.getMessage(), rows);
        notifyAll();
    }

    private void run()
    {
        try
        {
            List<byte[]> next = take();
            while (!next.isEmpty())
            {
                store(next);
                next = take();
            }
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
        finally
        {
            finished.run();
        }
    }

    /** The next records for a transaction, which stay in the buffer; none at the end. */
    private synchronized List<byte[]> take() throws InterruptedException
    {
        while (records.isEmpty() && holder != null)
        {
            wait();
        }
        ending = records.isEmpty();
        final List<byte[]> next = new ArrayList<>();
        int rows = 0;
        final Iterator<byte[]> all = records.iterator();
        while (rows < settings.batchSize() && all.hasNext())
        {
            final byte[] record = all.next();
            final int count = RowWriter.rowCount(counting, record);
            // A writer that repeats a transaction needs the descriptions that were valid at its beginning.
            if (count == 0 && rows > 0)
            {
                break;
            }
            rows += count;
            next.add(record);
        }
        return next;
    }

    private void store(final List<byte[]> next) throws InterruptedException
    {
        long delayMs = FIRST_DELAY_MS;
        while (isKept(next))
        {
            try
            {
                writer.write(next);
                stored(next.size());
                return;
            }
            catch (final SQLException e)
            {
                failed(e, delayMs);
            }
            // The thread must not end without a message.
            catch (final RuntimeException | Error e)
            {
                refused(e.toString(), e);
            }
            delayMs = Math.min(2 * delayMs, MAX_DELAY_MS);
        }
    }

    private synchronized boolean isKept(final List<byte[]> next)
    {
        return records.peek() == next.get(0);
    }

    private synchronized void stored(final int count)
    {
        for (int i = 0; i < count && !records.isEmpty(); i++)
        {
            bytes -= records.remove().length;
            done++;
        }
        if (problem != null)
        {
            LOG.info("recorded rows are stored again, dataset={}", dataset);
        }
        problem = null;
        notifyAll();
    }

    private synchronized void failed(final SQLException e, final long delayMs) throws InterruptedException
    {
        final String reason = Database.reason(e);
        if (Database.isPermanent(e))
        {
            refused(reason, e);
            return;
        }
        if (problem == null)
        {
            LOG.warn("{} recorded rows cannot be stored, dataset={} reason={}; they are buffered, and stored when " +
                "the database is available", EventStoreErrorCode.DATABASE, dataset, reason);
        }
        problem = reason;
        final long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(delayMs);
        while (failure == null && System.nanoTime() < endNs)
        {
            wait(Math.max(1, TimeUnit.NANOSECONDS.toMillis(endNs - System.nanoTime())));
        }
    }

    private synchronized void refused(final String reason, final Throwable cause)
    {
        problem = reason;
        lose(new EventStoreException(EventStoreErrorCode.DATABASE, "the database refuses recorded rows, dataset=" +
            dataset + " reason=" + reason, cause));
    }
}
