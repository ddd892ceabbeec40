package dev.millrace.adapter.jdbc;

import dev.millrace.adapter.jdbc.buffer.JdbcAdapterException;
import dev.millrace.adapter.jdbc.buffer.JdbcErrorCode;
import dev.millrace.adapter.jdbc.polling.NumberedRows;
import dev.millrace.adapter.jdbc.polling.PositionLog;
import dev.millrace.adapter.jdbc.polling.SourceCounters;
import dev.millrace.adapter.jdbc.polling.SourceSession;
import dev.millrace.adapter.jdbc.polling.SourceSettings;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.Producers;
import dev.millrace.api.stage.EventBatchSender;
import dev.millrace.api.stage.SequencedSink;
import java.io.IOException;
import java.sql.SQLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the row after which a source continues: that of the number that the stages below have stored, or the last one
 * that was sent if they store no numbers. Confined to the thread of the source.
 */
final class SourceStart
{
    private static final Logger LOG = LoggerFactory.getLogger(SourceStart.class);

    private final SourceSettings settings;
    private final EventBatchSender sender;
    private final EventBatch batch;
    private final SourceCounters counters;

    SourceStart(final SourceSettings settings, final EventBatchSender sender, final EventBatch batch,
        final SourceCounters counters)
    {
        this.settings = settings;
        this.sender = sender;
        this.batch = batch;
        this.counters = counters;
    }

    /**
     * Compares the log with the stages below, and records the start of a new source in the log.
     *
     * @return the rows after which the source continues
     * @throws JdbcAdapterException if the log does not belong to the rows, or the stages below do not respond
     */
    NumberedRows begin(final PositionLog log, final SourceSession session) throws JdbcAdapterException, IOException,
        SQLException
    {
        final long stored = stored();
        final boolean isStored = stored != SequencedSink.NOT_STORED;
        check(log, session, stored);
        if (isNew(log, stored))
        {
            final long start = session.start();
            log.begin(session.description(), settings.startAt(), start,
                settings.startAt().strip().equalsIgnoreCase(SourceSettings.BEGINNING) ? Long.MIN_VALUE :
                Long.MAX_VALUE);
        }
        final int producer = isStored ? Producers.id(producer()) : 0;
        if (isStored && producer == 0)
        {
            throw new JdbcAdapterException(JdbcErrorCode.STORED_UNKNOWN, "the rows cannot be numbered, stage=" +
                settings.stage() + " producers=" + Producers.MAX, "restart the server", null);
        }
        final long from = isStored ? Math.min(stored, log.last()) : log.last();
        LOG.info("source continues, {} after={} stored={} sent={}", settings.source(), log.position(from),
            isStored ? stored : "none", log.last());
        return new NumberedRows(sender, batch, log, from, producer, counters, settings.stage());
    }

    private void check(final PositionLog log, final SourceSession session, final long stored)
        throws JdbcAdapterException
    {
        if (!log.isEmpty() && !log.description().equals(session.description()))
        {
            throw new JdbcAdapterException(JdbcErrorCode.POSITIONS_LOST, "the positions belong to another source, " +
                "stage=" + settings.stage() + " directory=" + settings.directory() + " found=\"" + log.description() +
                "\" now=\"" + session.description() + '"', "change the instance properties back; or uninstall the " +
                "application, delete the directory and install it again", null);
        }
        if (stored > 0 && (log.isEmpty() || stored < log.first() - 1))
        {
            throw new JdbcAdapterException(JdbcErrorCode.POSITIONS_LOST, "the position of the last stored row is " +
                "unknown, stage=" + settings.stage() + " stored=" + stored + " directory=" + settings.directory(),
                "restore the directory; or delete the state of the stages below and the directory, and set startAt",
                null);
        }
    }

    /** Whether no row was sent since the application was installed. */
    private boolean isNew(final PositionLog log, final long stored)
    {
        return log.isEmpty() ||
            stored == 0 && (log.first() > 1 || !log.startAt().strip().equalsIgnoreCase(settings.startAt().strip()));
    }

    private String producer()
    {
        return settings.stage() + "/rows";
    }

    /** The number of the last row that all stages below have stored. */
    long stored() throws JdbcAdapterException
    {
        try
        {
            return sender.receivedFrom(producer());
        }
        catch (final IllegalStateException e)
        {
            throw new JdbcAdapterException(JdbcErrorCode.STORED_UNKNOWN, "the stages below do not report which rows " +
                "they have stored, stage=" + settings.stage() + " cause=" + e.getMessage(),
                "correct that stage; rows wait until then", e);
        }
    }
}
