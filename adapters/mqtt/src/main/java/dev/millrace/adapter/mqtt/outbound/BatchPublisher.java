package dev.millrace.adapter.mqtt.outbound;

import dev.millrace.adapter.common.encode.EventFormatter;
import dev.millrace.adapter.common.source.Deadline;
import dev.millrace.adapter.common.source.Outage;
import dev.millrace.adapter.mqtt.connect.MqttErrorCode;
import dev.millrace.adapter.mqtt.connect.MqttException;
import dev.millrace.adapter.mqtt.connect.MqttLink;
import dev.millrace.adapter.mqtt.connect.MqttLinks;
import dev.millrace.adapter.mqtt.connect.Outgoing;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.BatchRejectedException;
import dev.millrace.api.stage.EventRejectedException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Publishes batches, waits until the broker has confirmed their messages, and connects again after failures. A message
 * without confirmation is published again: it may arrive twice.
 *
 * <p>Threads: {@link #publish} by one thread at a time; {@link #end} by any thread. Failure: the caller waits while the
 * broker is unavailable; rows that wait when the sink ends, and rows without a topic, are rejected.
 */
final class BatchPublisher
{
    private static final long SLEEP_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private final SinkSettings settings;
    private final EventFormatter formatter;
    private final SinkCounters counters;
    private final Outage outage;
    private final StringBuilder text = new StringBuilder();
    private volatile MqttLink link;
    /** When {@link #checkConnection} may connect again. */
    private Deadline nextAttempt = Deadline.afterNs(0);
    private volatile boolean isEnding;

    BatchPublisher(final SinkSettings settings, final EventFormatter formatter, final SinkCounters counters,
        final Outage outage)
    {
        this.settings = settings;
        this.formatter = formatter;
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
        catch (final MqttException e)
        {
            nextAttempt = Deadline.afterMillis(fail(e));
        }
    }

    /** Publishes the rows of a batch. */
    synchronized void publish(final EventBatch batch) throws EventRejectedException
    {
        final List<Object> rejected = new ArrayList<>();
        final List<Outgoing> messages = new ArrayList<>(batch.size());
        final String reason = format(batch, messages, rejected);
        List<Outgoing> rest = messages;
        while (!rest.isEmpty())
        {
            rest = transmit(rest);
        }
        counters.sent(messages.size());
        counters.rejected(rejected.size());
        if (!rejected.isEmpty())
        {
            throw new BatchRejectedException(reason, rejected);
        }
    }

    /** Returns why the last of the rejected rows was rejected. */
    private String format(final EventBatch batch, final List<Outgoing> messages, final List<Object> rejected)
        throws EventRejectedException
    {
        final int[] columns;
        try
        {
            formatter.map(batch);
            columns = settings.topic().columns(batch.schema().type());
        }
        catch (final EventRejectedException e)
        {
            counters.rejected(batch.size());
            throw e;
        }
        String reason = null;
        for (int row = 0; row < batch.size(); row++)
        {
            try
            {
                messages.add(new Outgoing(settings.topic().of(batch, row, columns), payload(batch, row),
                    settings.qos(), settings.isRetained()));
            }
            catch (final EventRejectedException e)
            {
                reason = e.getMessage();
                rejected.add("row " + row);
            }
        }
        return reason;
    }

    private byte[] payload(final EventBatch batch, final int row)
    {
        text.setLength(0);
        if (formatter.header() != null)
        {
            text.append(formatter.header()).append('\n');
        }
        formatter.append(batch, row, text);
        text.setLength(text.length() - 1);
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Returns the messages without confirmation, after a pause. */
    private List<Outgoing> transmit(final List<Outgoing> messages) throws EventRejectedException
    {
        final List<CompletableFuture<?>> responses = new ArrayList<>(messages.size());
        try
        {
            connect();
            final MqttLink open = link;
            open.check();
            messages.forEach(each -> responses.add(open.publish(each)));
            for (final CompletableFuture<?> each : responses)
            {
                open.await(each);
            }
            outage.ended();
            return List.of();
        }
        catch (final MqttException e)
        {
            final List<Outgoing> rest = new ArrayList<>();
            for (int i = 0; i < messages.size(); i++)
            {
                final CompletableFuture<?> response = i < responses.size() ? responses.get(i) : null;
                if (response == null || !response.isDone() || response.isCompletedExceptionally())
                {
                    rest.add(messages.get(i));
                }
            }
            counters.repeated(responses.isEmpty() ? 0 : rest.size());
            await(rest.size(), fail(e));
            return rest;
        }
    }

    private void connect() throws MqttException
    {
        if (link == null)
        {
            final MqttLink opened = MqttLinks.of(settings.connection());
            try
            {
                opened.connect(null);
            }
            catch (final MqttException e)
            {
                opened.close();
                throw e;
            }
            link = opened;
            counters.connected(true);
            outage.ended();
        }
    }

    private int fail(final MqttException e)
    {
        disconnect();
        return outage.failed(e.code(), e.getMessage());
    }

    private void await(final int rows, final long millis) throws EventRejectedException
    {
        final Deadline deadline = Deadline.afterMillis(millis);
        while (!isEnding && !Thread.currentThread().isInterrupted() && !deadline.hasPassed())
        {
            LockSupport.parkNanos(this, SLEEP_NS);
        }
        if (isEnding || Thread.currentThread().isInterrupted())
        {
            counters.rejected(rows);
            throw new EventRejectedException(MqttErrorCode.AWAY.message("the sink ends while the broker is " +
                "unavailable, stage=" + settings.connection().stageName() + " rows=" + rows, "these rows are lost"));
        }
    }

    private void disconnect()
    {
        final MqttLink open = link;
        link = null;
        if (open != null)
        {
            open.close();
            counters.connected(false);
        }
    }

    /** Rejects a batch that waits, instead of publishing it, and closes the connection. */
    void end()
    {
        isEnding = true;
        final MqttLink open = link;
        if (open != null)
        {
            open.close();
        }
        synchronized (this)
        {
            disconnect();
        }
    }
}
