package dev.millrace.client;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Sends typed rows to a socket adapter, in frames of many rows.
 *
 * <pre>{@code
 * try (EventSender sender = new EventSenderBuilder("127.0.0.1", 9001)
 *     .column("symbol", ColumnType.CHAR8).column("lastPrice", ColumnType.DOUBLE).stream("desk").connect())
 * {
 *     sender.addString("ORCL").addDouble(31.5).endRow();
 *     sender.flush();
 * }
 * }</pre>
 *
 * <p>Rows are sent when a frame is full, by {@link #flush}, and at the end. The rows of a stream with a name are
 * numbered over all its connections and acknowledged when a durable processor has stored them; after a loss the sender
 * connects again and sends the rows that are not stored, so that each is processed once. Other rows are numbered from 1
 * and acknowledged when the server has received them. Rows that the server rejects are acknowledged with the
 * rows before them.
 *
 * <p>Threads: confined to one thread at a time, except for {@link #acknowledgedRows}. Ownership: the caller closes the
 * sender, which owns its connection and one daemon thread for each. Failure: after an {@link EventSenderException} the
 * sender is of no further use; a value that is refused with {@link IllegalArgumentException} removes its row, and the
 * sender can be used further. Back-pressure: sending blocks while the server does not read, or stores no rows; an
 * interrupt ends the second wait with CLN-0305, and not the first.
 */
public final class EventSender implements AutoCloseable
{
    private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final SenderSettings settings;
    private final FrameBuffer frame;
    private final UnacknowledgedFrames unacknowledged;
    private volatile ServerConnection connection;
    /** Number of the last row that was given to the connection. */
    private long sentRows;
    /** When the connection was opened, by {@link System#nanoTime}. */
    private long openedNs;
    /** When to give up, unless more rows are acknowledged than at the last loss. */
    private long lossDeadlineNs;
    private long rowsAtLoss = -1;
    private EventSenderException failure;
    private boolean isClosed;

    EventSender(final SenderSettings settings) throws EventSenderException
    {
        this.settings = settings;
        frame = new FrameBuffer(settings.columns(), settings.frameBytes());
        unacknowledged = new UnacknowledgedFrames(frame);
        connection = ServerConnection.open(settings, 0, settings.timeoutNs());
        sentRows = connection.acknowledgedRows();
        openedNs = System.nanoTime();
    }

    /**
     * Adds the next value of the row.
     *
     * @param value {@code null} and the empty string are null
     * @return this
     */
    public EventSender addString(final String value)
    {
        frame.putString(value);
        return this;
    }

    /**
     * Adds the next value of the row.
     *
     * @param value of a column of type {@link ColumnType#INT}
     * @return this
     */
    public EventSender addInt(final int value)
    {
        frame.putInt(value);
        return this;
    }

    /**
     * Adds the next value of the row.
     *
     * @param value of a column of type {@link ColumnType#BIGINT}
     * @return this
     */
    public EventSender addLong(final long value)
    {
        frame.putLong(value, ColumnType.BIGINT);
        return this;
    }

    /**
     * Adds the next value of the row.
     *
     * @param value of a column of type {@link ColumnType#FLOAT}
     * @return this
     */
    public EventSender addFloat(final float value)
    {
        frame.putFloat(value);
        return this;
    }

    /**
     * Adds the next value of the row.
     *
     * @param value of a column of type {@link ColumnType#DOUBLE}
     * @return this
     */
    public EventSender addDouble(final double value)
    {
        frame.putDouble(value);
        return this;
    }

    /**
     * Adds the next value of the row.
     *
     * @param value of a column of type {@link ColumnType#BOOLEAN}
     * @return this
     */
    public EventSender addBoolean(final boolean value)
    {
        frame.putBoolean(value);
        return this;
    }

    /**
     * Adds the next value of the row.
     *
     * @param value of a column of type {@link ColumnType#TIMESTAMP}, 1678 to 2261; {@code null} is null
     * @return this
     */
    public EventSender addTimestamp(final Instant value)
    {
        frame.putInstant(value);
        return this;
    }

    /**
     * Adds the next value of the row.
     *
     * @param epochNs of a column of type {@link ColumnType#TIMESTAMP}: nanoseconds since 1970-01-01T00:00:00Z
     * @return this
     */
    public EventSender addTimestamp(final long epochNs)
    {
        frame.putLong(epochNs, ColumnType.TIMESTAMP);
        return this;
    }

    /**
     * Adds a null as the next value of the row.
     *
     * @return this
     */
    public EventSender addNull()
    {
        frame.putNull();
        return this;
    }

    /**
     * Ends the row, and sends the rows before it if their frame is full.
     *
     * @throws EventSenderException if the server is lost or refuses the rows
     */
    public void endRow() throws EventSenderException
    {
        checkUsable();
        final int before = frame.rows();
        final byte[] full = frame.endRow();
        if (full != null)
        {
            send(full, before);
        }
    }

    /**
     * Sends the rows that have ended. Does not wait for their acknowledgement.
     *
     * @throws EventSenderException if the server is lost or refuses the rows
     */
    public void flush() throws EventSenderException
    {
        checkUsable();
        final int rows = frame.rows();
        if (rows > 0)
        {
            send(frame.take(), rows);
        }
    }

    /**
     * Sends the rows that have ended, and waits until all are acknowledged.
     *
     * @param timeout maximum time to wait; a connection that is lost may add the time-out of the sender
     * @return false if the time has elapsed
     * @throws EventSenderException if the server is lost or refuses the rows
     */
    public boolean awaitAcknowledgements(final Duration timeout) throws EventSenderException
    {
        flush();
        final long deadlineNs = System.nanoTime() + TimeUnit.NANOSECONDS.convert(timeout);
        boolean isAcknowledged = awaitAcknowledged(sentRows, deadlineNs);
        while (!isAcknowledged && System.nanoTime() - deadlineNs < 0)
        {
            isAcknowledged = awaitAcknowledged(sentRows, deadlineNs);
        }
        release();
        return isAcknowledged;
    }

    /**
     * The number of the last row that has ended. After {@link EventSenderBuilder#connect} it is the number of the last
     * row of the stream that is stored: a program that starts again continues with the next one.
     *
     * @return 0 if there was none
     */
    public long rows()
    {
        return sentRows + frame.rows();
    }

    /**
     * The number of the last row that is acknowledged, with all rows before it. Any thread may call it.
     *
     * @return 0 if there was none
     */
    public long acknowledgedRows()
    {
        return connection.acknowledgedRows();
    }

    /**
     * Sends the rows that have ended, waits until they are acknowledged, and closes the connection. Discards a row that
     * has not ended, for example because its program failed. Idempotent.
     *
     * @throws EventSenderException if rows are not acknowledged
     */
    @Override
    public void close() throws EventSenderException
    {
        if (isClosed)
        {
            return;
        }
        boolean isAcknowledged = false;
        try
        {
            isAcknowledged = failure == null && awaitAcknowledgements(Duration.ofNanos(settings.timeoutNs()));
            if (failure == null && !isAcknowledged)
            {
                throw new EventSenderException("CLN-0303 the server has not acknowledged all rows, " +
                    settings.where() + " rows=" + sentRows + " acknowledged=" + acknowledgedRows() +
                    "; check the state of the application, or raise the timeout of the sender", null);
            }
        }
        finally
        {
            isClosed = true;
            if (isAcknowledged)
            {
                connection.close();
            }
            else
            {
                connection.abandon();
            }
        }
    }

    private void checkUsable() throws EventSenderException
    {
        if (isClosed)
        {
            throw new IllegalStateException("CLN-0107 the sender is closed, " + settings.where() +
                "; create another one");
        }
        if (failure != null)
        {
            throw failure;
        }
    }

    private void send(final byte[] full, final int rows) throws EventSenderException
    {
        if (settings.stream() != null)
        {
            awaitMemory(full.length);
            unacknowledged.add(full, sentRows + 1, rows);
        }
        sentRows += rows;
        try
        {
            connection.write(full);
        }
        catch (final IOException ex)
        {
            lost(ex);
        }
    }

    private void awaitMemory(final int bytes) throws EventSenderException
    {
        release();
        while (unacknowledged.bytes() > 0 && unacknowledged.bytes() + bytes > settings.maxUnacknowledgedBytes())
        {
            awaitAcknowledged(unacknowledged.firstFrameEnd(), System.nanoTime() + settings.timeoutNs());
            release();
        }
    }

    private void release() throws EventSenderException
    {
        final long acknowledged = connection.acknowledgedRows();
        if (acknowledged > sentRows)
        {
            failure = otherRows(acknowledged, acknowledged);
            throw failure;
        }
        unacknowledged.release(acknowledged);
    }

    /** Waits until a row is acknowledged. Connects again if the connection is lost, and then may return early. */
    private boolean awaitAcknowledged(final long row, final long deadlineNs) throws EventSenderException
    {
        try
        {
            final boolean isAcknowledged = connection.awaitAcknowledged(row, deadlineNs);
            if (!isAcknowledged && connection.hasEnded())
            {
                lost(null);
            }
            return isAcknowledged;
        }
        catch (final InterruptedException ex)
        {
            throw interrupted(ex);
        }
    }

    /** Connects again and sends what is not stored, if the stream has a name. */
    private void lost(final IOException cause) throws EventSenderException
    {
        try
        {
            final IOException reason = connection.end(cause);
            if (settings.stream() == null)
            {
                throw new EventSenderException("CLN-0301 the connection is lost, " + settings.where() + " rows=" +
                    sentRows + " acknowledged=" + acknowledgedRows() + " cause=" + reason.getMessage() +
                    "; create another sender; with the name of a stream nothing would be lost", reason);
            }
            reconnect();
        }
        catch (final EventSenderException ex)
        {
            failure = ex;
            throw ex;
        }
    }

    private void reconnect() throws EventSenderException
    {
        final long known = Math.max(connection.acknowledgedRows(), unacknowledged.releasedRows());
        if (known > rowsAtLoss || known == sentRows || System.nanoTime() - openedNs >= settings.timeoutNs())
        {
            progressed(known);
        }
        while (true)
        {
            if (System.nanoTime() - lossDeadlineNs >= 0)
            {
                throw givenUp("it ends each connection", null);
            }
            final ServerConnection next = open(known, lossDeadlineNs);
            connection = next;
            openedNs = System.nanoTime();
            final long stored = next.acknowledgedRows();
            if (stored < known || stored > sentRows)
            {
                throw otherRows(known, stored);
            }
            if (stored > rowsAtLoss)
            {
                progressed(stored);
            }
            try
            {
                for (final byte[] each : unacknowledged.after(stored))
                {
                    next.write(each);
                }
                return;
            }
            catch (final IOException ex)
            {
                next.end(ex);
            }
        }
    }

    private void progressed(final long acknowledged)
    {
        rowsAtLoss = acknowledged;
        lossDeadlineNs = System.nanoTime() + settings.timeoutNs();
    }

    private EventSenderException givenUp(final String reason, final EventSenderException cause)
    {
        return new EventSenderException("CLN-0302 the server was lost and cannot be reached again, " +
            settings.where() + " rows=" + sentRows + " acknowledged=" + acknowledgedRows() + " cause=" + reason +
            "; start the server, then start the program again after the stored rows", cause);
    }

    private EventSenderException otherRows(final long acknowledged, final long stored)
    {
        return new EventSenderException("CLN-0304 the server has not stored the rows that it acknowledged, or rows " +
            "of another sender, " + settings.where() + " acknowledged=" + acknowledged + " stored=" + stored +
            " rows=" + sentRows + "; give each sender another name, and check whether the state of the processor was " +
            "deleted", null);
    }

    /** Connects before a deadline. Pauses before each attempt, because the server may end each connection at once. */
    private ServerConnection open(final long acknowledged, final long deadlineNs) throws EventSenderException
    {
        while (true)
        {
            pause();
            try
            {
                final long leftNs = deadlineNs - System.nanoTime();
                return ServerConnection.open(settings, acknowledged, Math.max(RETRY_NS, leftNs));
            }
            catch (final EventSenderException ex)
            {
                if (System.nanoTime() - deadlineNs >= 0)
                {
                    throw givenUp(ex.getMessage(), ex);
                }
            }
        }
    }

    private void pause() throws EventSenderException
    {
        LockSupport.parkNanos(this, RETRY_NS);
        if (Thread.currentThread().isInterrupted())
        {
            throw interrupted(null);
        }
    }

    private EventSenderException interrupted(final InterruptedException cause)
    {
        Thread.currentThread().interrupt();
        failure = new EventSenderException("CLN-0305 the thread was interrupted while it waited for the server, " +
            settings.where() + " rows=" + sentRows + " acknowledged=" + acknowledgedRows() +
            "; create another sender", cause);
        return failure;
    }
}
