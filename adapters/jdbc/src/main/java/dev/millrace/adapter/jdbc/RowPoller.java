package dev.millrace.adapter.jdbc;

import dev.millrace.adapter.common.source.SourceRunner;
import dev.millrace.adapter.jdbc.buffer.JdbcAdapterException;
import dev.millrace.adapter.jdbc.buffer.JdbcErrorCode;
import dev.millrace.adapter.jdbc.database.FailureClassifier;
import dev.millrace.adapter.jdbc.polling.Horizon;
import dev.millrace.adapter.jdbc.polling.NumberedRows;
import dev.millrace.adapter.jdbc.polling.PositionLog;
import dev.millrace.adapter.jdbc.polling.SourceCounters;
import dev.millrace.adapter.jdbc.polling.SourceSession;
import dev.millrace.adapter.jdbc.polling.SourceSettings;
import dev.millrace.api.event.EventType;
import dev.millrace.api.time.Clock;
import java.io.IOException;
import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Queries the database for new rows until it is stopped.
 *
 * <pre>
 *   connect ─► open the log, ask the stages below ─► query ─┬─ more rows ─► query
 *      ▲                                              ▲     └─ no more ──► pause, query
 *      └── pause, twice as long each time ◄── failure ┘
 * </pre>
 *
 * <p>Threads: {@link #run} on one thread, the other methods on any thread. Failure: {@code run} throws nothing for
 * failures of the database or the log; it retries.
 */
final class RowPoller implements SourceRunner.Loop
{
    private static final Logger LOG = LoggerFactory.getLogger(RowPoller.class);
    private static final int MAX_DOUBLINGS = 20;

    private final SourceSettings settings;
    private final DataSource source;
    private final EventType event;
    private final SourceStart start;
    private final SourceCounters counters;
    private final Outage outage;
    private final Clock clock;
    private final Horizon horizon;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private volatile SourceSession session;
    private PositionLog log;
    private NumberedRows rows;
    /** The limit up to which all rows were read. */
    private long readUpTo = Horizon.NONE;
    /** Whether the last query has found as many rows as it may. */
    private boolean isBehind;
    /** Whether all rows were read that were visible at the start. */
    private boolean hasReadAll;

    RowPoller(final SourceSettings settings, final DataSource source, final EventType event, final SourceStart start,
        final SourceCounters counters, final Outage outage, final Clock clock)
    {
        this.clock = clock;
        this.settings = settings;
        this.source = source;
        this.event = event;
        this.start = start;
        this.counters = counters;
        this.outage = outage;
        horizon = new Horizon(settings.lagMillis());
    }

    /** Requests the end of {@link #run}. */
    @Override
    public void stop()
    {
        stopped.countDown();
    }

    private boolean isStopped()
    {
        return stopped.getCount() == 0;
    }

    /** Aborts a database call that does not return. */
    @Override
    public void abort()
    {
        final SourceSession current = session;
        if (current != null)
        {
            current.abort();
        }
    }

    /** Sends rows until {@link #stop}, or until all rows were sent that a source with an end sends. */
    @Override
    public void run()
    {
        int failures = 0;
        boolean isFinished = false;
        try
        {
            while (!isStopped() && !isFinished)
            {
                final String failure = attempt();
                if (failure == null)
                {
                    failures = 0;
                    works();
                    isFinished = settings.isOnce() && hasReadAll;
                    pause(isFinished ? 0 : pauseNs());
                }
                else if (!isStopped())
                {
                    counters.retried();
                    outage.failed(failure, "position=" + counters.position());
                    pause(TimeUnit.MILLISECONDS.toNanos(Math.min(settings.maxRetryMillis(),
                        (long)settings.retryMillis() << Math.min(failures, MAX_DOUBLINGS))));
                    failures++;
                }
            }
        }
        finally
        {
            closeSession();
            closeLog();
        }
        if (isFinished)
        {
            counters.finished();
        }
    }

    /** Queries once. Returns the message of a failure; {@code null} for success. */
    private String attempt()
    {
        try
        {
            open();
            poll();
            return null;
        }
        catch (final JdbcAdapterException e)
        {
            return failed(e.getMessage(), e);
        }
        catch (final SQLException e)
        {
            return failed(message(e), e);
        }
        catch (final IOException e)
        {
            // The log is the truth about what was sent.
            closeLog();
            return failed(JdbcErrorCode.POSITION_FILES.message("the positions cannot be read or written, stage=" +
                settings.stage() + " directory=" + settings.directory() + " cause=" + e.getMessage(),
                "free space on the disk, or correct what the cause names; rows wait until then"), e);
        }
    }

    private void open() throws SQLException, IOException, JdbcAdapterException
    {
        if (session == null)
        {
            session = SourceSession.open(source, settings, event);
        }
        if (log == null)
        {
            log = PositionLog.open(settings.directory());
        }
        if (rows == null)
        {
            rows = start.begin(log, session);
        }
        session.attach(rows);
    }

    private void poll() throws SQLException, IOException, JdbcAdapterException
    {
        if (horizon.isUsed())
        {
            final long greatest = session.greatest(rows.position(), rows.tie());
            horizon.observe(clock.epochNs(), greatest);
        }
        final long limit = horizon.limit(clock.epochNs());
        hasReadAll = horizon.includesFirst(limit);
        if (limit > readUpTo || limit == Horizon.ALL)
        {
            final boolean hasMore = session.poll(rows, limit, this::isStopped);
            hasReadAll &= !hasMore && !isStopped();
            isBehind = hasMore;
            readUpTo = hasMore || isStopped() ? readUpTo : limit;
        }
        counters.polled();
        if (log.hasOldFiles())
        {
            final long stored = start.stored();
            log.release(stored < 0 ? log.last() : stored);
        }
    }

    private long pauseNs()
    {
        return isBehind ? 0 : Math.min(TimeUnit.MILLISECONDS.toNanos(settings.pollMillis()),
            horizon.untilNextNs(clock.epochNs()));
    }

    private void works()
    {
        if (outage.ended())
        {
            LOG.info("the database returns rows again, stage={} position={}", settings.stage(), counters.position());
        }
    }

    private String failed(final String message, final Exception failure)
    {
        closeSession();
        if (rows == null)
        {
            // Files that are missing may have been restored when they are opened again.
            closeLog();
        }
        LOG.debug("failure, stage={}", settings.stage(), failure);
        return message;
    }

    private String message(final SQLException failure)
    {
        final String cause = ", " + settings.source() + " cause=" + FailureClassifier.reason(failure);
        if (FailureClassifier.isLogin(failure))
        {
            return JdbcErrorCode.LOGIN.message("the database rejects user or password" + cause,
                "correct them in the data-source of config.xml and restart the server; rows wait until then");
        }
        return session != null &&
            (FailureClassifier.isMissing(failure) || FailureClassifier.of(failure) == FailureClassifier.ROW) ?
            JdbcErrorCode.STATEMENT.message("the database rejects the statement" + cause,
                "correct table, query or privileges; rows wait until then") :
            JdbcErrorCode.AWAY.message("the database does not return rows" + cause,
                "start it, or correct the data-source of config.xml and restart the server; rows wait until then");
    }

    /** Waits, at most until the source is stopped. An interrupt stops it. */
    private void pause(final long pauseNs)
    {
        try
        {
            stopped.await(pauseNs, TimeUnit.NANOSECONDS);
        }
        catch (final InterruptedException e)
        {
            stop();
            Thread.currentThread().interrupt();
        }
    }

    private void closeSession()
    {
        final SourceSession last = session;
        session = null;
        if (last != null)
        {
            last.close();
        }
    }

    private void closeLog()
    {
        final PositionLog last = log;
        log = null;
        rows = null;
        readUpTo = Horizon.NONE;
        try
        {
            if (last != null)
            {
                last.close();
            }
        }
        catch (final IOException e)
        {
            LOG.warn(JdbcErrorCode.POSITION_FILES.message("the files of positions cannot be closed, stage=" +
                settings.stage() + " cause=" + e.getMessage(), "check the disk"), e);
        }
    }
}
