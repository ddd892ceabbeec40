package dev.millrace.adapter.jms.outbound;

import dev.millrace.adapter.common.source.Deadline;
import dev.millrace.adapter.common.source.Outage;
import dev.millrace.adapter.jms.connect.ConnectException;
import dev.millrace.adapter.jms.connect.Connector;
import dev.millrace.adapter.jms.connect.JmsErrorCode;
import dev.millrace.adapter.jms.connect.JmsLink;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.BatchRejectedException;
import dev.millrace.api.stage.EventRejectedException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Sends batches, each in a transaction, and connects again after failures. A batch whose commit has failed is sent
 * again: its rows may arrive twice.
 *
 * <p>Threads: {@link #send} by one thread at a time; {@link #end} and {@link #abort} by any thread. Failure: the caller
 * waits while the broker is unavailable; rows that wait when the sink ends, and rows without a representation, are
 * rejected.
 */
final class BatchTransmitter
{
    private static final long SLEEP_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private final SinkSettings settings;
    private final Connector connector;
    private final MessageWriter writer;
    private final SinkCounters counters;
    private final Outage outage;
    private MessageProducer producer;
    private volatile JmsLink link;
    /** When {@link #checkConnection} may connect again. */
    private Deadline nextAttempt = Deadline.afterNs(0);
    private volatile boolean isEnding;

    BatchTransmitter(final SinkSettings settings, final Connector connector, final MessageWriter writer,
        final SinkCounters counters, final Outage outage)
    {
        this.settings = settings;
        this.connector = connector;
        this.writer = writer;
        this.counters = counters;
        this.outage = outage;
    }

    /** Connects if necessary and possible, and checks the connection; a failure is a condition of the stage. */
    synchronized void checkConnection()
    {
        if (isEnding || !nextAttempt.hasPassed())
        {
            return;
        }
        try
        {
            connect();
            link.check();
        }
        catch (final ConnectException | JMSException e)
        {
            nextAttempt = Deadline.afterMillis(fail(e));
        }
    }

    /** Sends the rows of a batch. */
    synchronized void send(final EventBatch batch) throws EventRejectedException
    {
        try
        {
            writer.map(batch);
        }
        catch (final EventRejectedException e)
        {
            counters.rejected(batch.size());
            throw e;
        }
        final List<Object> rejected = new ArrayList<>();
        String reason = null;
        boolean isSent = false;
        while (!isSent)
        {
            rejected.clear();
            try
            {
                reason = transmit(batch, rejected);
                isSent = true;
            }
            catch (final ConnectException | JMSException e)
            {
                counters.retried();
                await(batch.size(), fail(e));
            }
        }
        counters.rejected(rejected.size());
        if (!rejected.isEmpty())
        {
            throw new BatchRejectedException(reason, rejected);
        }
    }

    /** Returns why the last of the rejected rows was rejected. */
    private String transmit(final EventBatch batch, final List<Object> rejected) throws ConnectException, JMSException
    {
        connect();
        final JmsLink open = link;
        open.check();
        final Session session = open.session();
        String reason = null;
        long messages = 0;
        for (int row = 0; row < batch.size(); row++)
        {
            try
            {
                for (final Message each : writer.write(session, batch, row))
                {
                    producer.send(each, settings.deliveryMode(), settings.priority(), settings.timeToLiveMs());
                    messages++;
                }
            }
            catch (final EventRejectedException e)
            {
                reason = e.getMessage();
                rejected.add("row " + row);
            }
        }
        if (settings.isTransacted())
        {
            session.commit();
        }
        outage.ended();
        counters.sent(batch.size() - rejected.size(), messages);
        return reason;
    }

    private void connect() throws ConnectException, JMSException
    {
        if (link == null)
        {
            final JmsLink opened = connector.connect(settings.isTransacted() ? Session.SESSION_TRANSACTED :
                Session.AUTO_ACKNOWLEDGE, List.of(settings.destination()));
            link = opened;
            producer = opened.session().createProducer(opened.destination(0));
            counters.connected(true);
            outage.ended();
        }
    }

    private int fail(final Exception e)
    {
        disconnect();
        final ConnectException failure = e instanceof final ConnectException known ? known : connector.failure(e);
        return outage.failed(failure.code(), failure.getMessage());
    }

    private void await(final int rows, final long millis) throws EventRejectedException
    {
        final Deadline deadline = Deadline.afterMillis(millis);
        while (!isEnding && !deadline.hasPassed())
        {
            LockSupport.parkNanos(this, SLEEP_NS);
            if (Thread.currentThread().isInterrupted())
            {
                isEnding = true;
            }
        }
        if (isEnding)
        {
            counters.rejected(rows);
            throw new EventRejectedException(JmsErrorCode.AWAY.message("the sink ends while the broker is " +
                "unavailable, stage=" + settings.stageName() + " rows=" + rows, "these rows are lost"));
        }
    }

    private void disconnect()
    {
        final JmsLink open = link;
        link = null;
        producer = null;
        if (open != null)
        {
            open.close();
            counters.connected(false);
        }
    }

    /** Rejects a batch that waits, instead of sending it. */
    void end()
    {
        isEnding = true;
    }

    /** Ends a call of the provider that does not return. */
    void abort()
    {
        final JmsLink open = link;
        if (open != null)
        {
            open.close();
        }
    }

    /** Closes the connection. */
    synchronized void close()
    {
        disconnect();
    }
}
