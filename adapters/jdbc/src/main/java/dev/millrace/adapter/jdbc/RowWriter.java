package dev.millrace.adapter.jdbc;

import dev.millrace.adapter.jdbc.buffer.BlockRange;
import dev.millrace.adapter.jdbc.buffer.JdbcErrorCode;
import dev.millrace.adapter.jdbc.buffer.JdbcAdapterException;
import dev.millrace.adapter.jdbc.buffer.RowBlock;
import dev.millrace.adapter.jdbc.buffer.RowBuffer;
import dev.millrace.adapter.jdbc.buffer.RowOperation;
import dev.millrace.adapter.jdbc.buffer.SinkCounters;
import dev.millrace.adapter.jdbc.buffer.SinkSettings;
import dev.millrace.adapter.jdbc.buffer.SpillCodec;
import dev.millrace.adapter.jdbc.buffer.SpillLocation;
import dev.millrace.adapter.jdbc.database.DatabaseSession;
import dev.millrace.adapter.jdbc.database.FailureClassifier;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes rows from the buffer and writes them until the buffer is closed and empty.
 *
 * <pre>
 *   transaction of all rows taken ─ success ─► next
 *      ├─ database unavailable ─► pause, twice as long each time; same rows again
 *      ├─ a row is wrong ─► half as many rows; a single row is counted and logged; then twice as many again
 *      └─ cause unclear ─► as if the database were unavailable, {@value #UNCLEAR_TRIES} times; then as if a row were
 * wrong
 * </pre>
 *
 * <p>Threads: {@link #run} on one thread, all other methods on any thread. Failure: {@code run} throws nothing for
 * database failures; rows left at the end are written to files, or counted and logged as lost.
 */
final class RowWriter implements Runnable
{
    private static final Logger LOG = LoggerFactory.getLogger(RowWriter.class);
    private static final int UNCLEAR_TRIES = 3;
    private static final int LOGGED_ROWS = 100;
    private static final int ROW_CHARS = 1_000;

    private final SinkSettings settings;
    private final DataSource source;
    private final RowBuffer buffer;
    private final SinkCounters counters;
    private final Outage outage;
    private final StoredNumbers numbers;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final CountDownLatch giveUp = new CountDownLatch(1);
    private volatile DatabaseSession session;
    private boolean isProven;
    private SQLException rowFailure;
    private int loggedRows;

    /** Result of an attempt. */
    private enum Outcome
    {
        WRITTEN, ROW_WRONG, STOPPED
    }

    RowWriter(final SinkSettings settings, final DataSource source, final RowBuffer buffer, final SinkCounters counters,
        final Outage outage, final StoredNumbers numbers)
    {
        this.numbers = numbers;
        this.outage = outage;
        this.settings = settings;
        this.source = source;
        this.buffer = buffer;
        this.counters = counters;
    }

    /**
     * Requests the end: after all rows are written, or as soon as the database is unavailable and rows can be stored.
     */
    void close()
    {
        closing.countDown();
    }

    /** Requests the end immediately, aborting a database call if necessary. */
    void giveUp()
    {
        giveUp.countDown();
        final DatabaseSession current = session;
        if (current != null)
        {
            current.abort();
        }
    }

    /** The current dialect, empty while there is no connection. */
    String dialect()
    {
        final DatabaseSession current = session;
        return current == null ? "" : current.dialect().text();
    }

    @Override
    public void run()
    {
        List<RowBlock> blocks = List.of();
        int done = 0;
        try
        {
            for (blocks = buffer.take(); !blocks.isEmpty(); blocks = buffer.take())
            {
                final int size = new BlockRange(blocks).size();
                done = write(new BlockRange(blocks));
                if (done < size)
                {
                    break;
                }
                if (numbers != null)
                {
                    numbers.done(new BlockRange(blocks).lastNumbers(0, size));
                }
                buffer.done(blocks);
                done = 0;
            }
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
        catch (final RuntimeException | Error e)
        {
            LOG.error("internal error: the writer failed; its rows are kept, stage={}", settings.stage(), e);
            throw e;
        }
        finally
        {
            closeSession();
            rest(blocks, done);
        }
    }

    /**
     * Writes rows.
     *
     * @return number of rows that are done
     */
    private int write(final BlockRange batch)
    {
        int position = 0;
        int count = batch.size();
        while (position < batch.size())
        {
            final int end = Math.min(batch.size(), position + count);
            final Outcome outcome = attempt(batch, position, end);
            if (outcome == Outcome.STOPPED)
            {
                return position;
            }
            if (outcome == Outcome.WRITTEN || end - position == 1)
            {
                if (outcome == Outcome.ROW_WRONG)
                {
                    failed(batch, position, FailureClassifier.reason(rowFailure));
                }
                position = end;
                count = Math.min(batch.size(), count << 1);
            }
            else
            {
                count = Math.max(1, end - position >> 1);
            }
        }
        loggedRows = 0;
        return position;
    }

    private Outcome attempt(final BlockRange batch, final int from, final int to)
    {
        for (int tries = 0; giveUp.getCount() > 0; tries++)
        {
            try
            {
                if (session == null)
                {
                    session = DatabaseSession.open(source, settings, buffer.layout());
                    if (numbers != null && tries > 0 && session.isCommitted(batch, from, to))
                    {
                        // The connection broke after the commit, before its response.
                        written(batch, from, to, DatabaseSession.Done.NOTHING);
                        return Outcome.WRITTEN;
                    }
                }
                written(batch, from, to, session.execute(batch, from, to));
                return Outcome.WRITTEN;
            }
            catch (final JdbcAdapterException e)
            {
                away(e.getMessage(), e);
            }
            catch (final SQLException e)
            {
                if (isRow(e, tries, to - from < batch.size()))
                {
                    rowFailure = e;
                    return Outcome.ROW_WRONG;
                }
                away(message(e), e);
            }
            catch (final RuntimeException e)
            {
                // An exception of the driver itself, observed with connections that were just closed.
                away(message(new SQLException("the driver failed: " + e, e)), e);
            }
            if (!pause(tries))
            {
                return Outcome.STOPPED;
            }
            counters.retried.addAndGet(to - from);
        }
        return Outcome.STOPPED;
    }

    private boolean isRow(final SQLException failure, final int tries, final boolean isPart)
    {
        final FailureClassifier fault = FailureClassifier.of(failure);
        final boolean works = session != null && session.rollback();
        return works && (fault == FailureClassifier.ROW ||
            fault == FailureClassifier.UNKNOWN && (isPart || tries >= UNCLEAR_TRIES));
    }

    private String message(final SQLException failure)
    {
        final String cause = ", stage=" + settings.stage() + " table=" + settings.table() + " cause=" +
            FailureClassifier.reason(failure);
        if (FailureClassifier.isLogin(failure))
        {
            return JdbcErrorCode.LOGIN.message("the database rejects user or password" + cause,
                "correct them in the data-source of config.xml and restart the server; rows wait until then");
        }
        return session != null && FailureClassifier.isMissing(failure) ?
            JdbcErrorCode.STATEMENT.message("the database rejects the statement" + cause,
                "correct table or privileges; rows wait until then") :
            JdbcErrorCode.AWAY.message("the database does not accept rows" + cause,
                "start it, or correct the data-source of config.xml and restart the server; rows wait until then");
    }

    private void written(final BlockRange batch, final int from, final int to, final DatabaseSession.Done done)
    {
        isProven = true;
        if (done.refused() > 0)
        {
            refused(batch, from, to);
        }
        counters.missed.addAndGet(done.missed());
        counters.written.addAndGet(to - from - done.refused());
        counters.batches.incrementAndGet();
        if (outage.ended())
        {
            LOG.info("the database accepts rows again, stage={} waiting={}", settings.stage(), buffer.waiting());
        }
    }

    private void refused(final BlockRange batch, final int from, final int to)
    {
        for (int index = from; index < to; index++)
        {
            batch.seek(index);
            if (batch.block().operation(batch.row()) == RowOperation.REFUSED)
            {
                failed(batch, index, "mode " + settings.mode().text() + " has no statement for rows of this kind" +
                    (settings.keys().isEmpty() ? " without instance property keys" : ""));
            }
        }
    }

    private void failed(final BlockRange batch, final int index, final String cause)
    {
        counters.failed.incrementAndGet();
        loggedRows++;
        if (loggedRows <= LOGGED_ROWS)
        {
            batch.seek(index);
            LOG.error(JdbcErrorCode.ROW.message("a row was not written, stage=" + settings.stage() + " table=" +
                settings.table() + " mode=" + settings.mode().text() + " cause=" + cause + " row={" +
                batch.block().text(batch.row(), ROW_CHARS) + '}', "correct the events or the table; the row is lost"));
        }
        else if (loggedRows == LOGGED_ROWS + 1)
        {
            LOG.error(JdbcErrorCode.ROW.message("more rows of this batch were not written, stage=" + settings.stage(),
                "see counter failed of the stage"));
        }
    }

    private void away(final String message, final Exception failure)
    {
        closeSession();
        outage.failed(message, "waiting=" + buffer.waiting());
        LOG.debug("failure, stage={}", settings.stage(), failure);
    }

    /** Pauses before a retry. A connection that has worked before is replaced without a pause. */
    private boolean pause(final int tries)
    {
        final boolean atOnce = isProven;
        isProven = false;
        final long millis = Math.min(settings.maxRetryMillis(), (long)settings.retryMillis() << Math.min(tries, 20));
        try
        {
            if (settings.spillDirectory() != null)
            {
                return !closing.await(atOnce ? 0 : millis, TimeUnit.MILLISECONDS);
            }
            return !giveUp.await(atOnce ? 0 : millis, TimeUnit.MILLISECONDS);
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void closeSession()
    {
        final DatabaseSession last = session;
        session = null;
        if (last != null)
        {
            last.close();
        }
    }

    private void rest(final List<RowBlock> blocks, final int done)
    {
        try
        {
            final long waiting = buffer.waiting() - done;
            if (waiting > 0 && settings.spillDirectory() != null && SpillCodec.canWrite(buffer.layout()))
            {
                final List<SpillLocation> places =
                    blocks.stream().map(RowBlock::place).filter(Objects::nonNull).toList();
                final long kept = buffer.keep(new BlockRange(blocks).from(done), places);
                LOG.warn(JdbcErrorCode.REST.message("some rows are not written yet and wait in files, stage=" +
                    settings.stage() + " rows=" + kept + " directory=" + settings.spillDirectory(),
                    "they are written when the application starts again"));
            }
            else if (waiting > 0 && numbers != null)
            {
                LOG.warn(JdbcErrorCode.REST.message("some rows are not written yet, stage=" + settings.stage() +
                    " rows=" + waiting, "the durable processor emits them again when the application starts"));
            }
            else if (waiting > 0)
            {
                counters.lost.addAndGet(waiting);
                LOG.error(JdbcErrorCode.REST.message(
                    "rows are lost: they were not written and there is no directory to " +
                    "keep them, stage=" + settings.stage() + " rows=" + waiting, "set instance property " +
                    "spillDirectory"));
            }
            buffer.closeFiles();
        }
        catch (final IOException e)
        {
            counters.lost.addAndGet(buffer.waiting());
            LOG.error(JdbcErrorCode.REST.message(
                "rows are lost: they were not written and cannot be written to files, " +
                "stage=" + settings.stage() + " rows=" + buffer.waiting() + " directory=" + settings.spillDirectory(),
                "free space on the disk"), e);
        }
    }
}
