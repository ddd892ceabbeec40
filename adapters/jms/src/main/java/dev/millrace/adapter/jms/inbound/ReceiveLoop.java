package dev.millrace.adapter.jms.inbound;

import dev.millrace.adapter.common.source.Outage;
import dev.millrace.adapter.common.source.RowBatch;
import dev.millrace.adapter.common.source.SourceRunner;
import dev.millrace.adapter.jms.connect.ConnectException;
import dev.millrace.adapter.jms.connect.Connector;
import dev.millrace.adapter.jms.connect.DestinationSettings;
import dev.millrace.adapter.jms.connect.JmsErrorCode;
import dev.millrace.adapter.jms.connect.JmsLink;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.Producers;
import dev.millrace.api.stage.EventBatchSender;
import dev.millrace.api.stage.SequencedSink;
import dev.millrace.api.time.Clock;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives messages until it is stopped, and connects again after failures. A transaction ends when no further message
 * is available or when it has enough messages, and when the stages below have stored its rows.
 *
 * <p>Threads: {@link #run} on the source's thread, the other methods on any thread.
 */
final class ReceiveLoop implements RowConsumer, SourceRunner.Loop
{
    private static final Logger LOG = LoggerFactory.getLogger(ReceiveLoop.class);
    private static final long IDLE_MS = 100;
    /** How long the first rows of a batch wait for more. */
    private static final long LINGER_MS = 1;
    private static final long POLL_NS = TimeUnit.MICROSECONDS.toNanos(200);
    private static final long SLEEP_NS = TimeUnit.MILLISECONDS.toNanos(10);
    /** Far less than {@link NumberedMessages#GAP}, even with a large message at the end. */
    private static final long MAX_ROWS = 1 << 20;

    private final SourceSettings settings;
    private final Connector connector;
    private final MessageReader reader;
    private final RowBatch rows;
    private final EventBatchSender sender;
    private final SourceCounters counters;
    private final Outage outage;
    private final Clock clock;
    private final String producer;
    private final NumberedMessages messages;
    private boolean isNumbered;
    private MessageConsumer consumer;
    private DeadLetters deadLetters;
    private int openMessages;
    private long openRows;
    /** Rows of the current message that were received before. */
    private long skip;
    private Message current;
    /** Whether rows were not stored in time since the last transaction that has ended. */
    private boolean isLate;
    private volatile JmsLink link;
    private volatile boolean isStopping;
    private volatile boolean isAborted;

    ReceiveLoop(final SourceSettings settings, final Connector connector, final MessageReader reader,
        final RowBatch rows, final EventBatchSender sender, final SourceCounters counters, final Outage outage,
        final Clock clock)
    {
        this.settings = settings;
        this.connector = connector;
        this.reader = reader;
        this.rows = rows;
        this.sender = sender;
        this.counters = counters;
        this.outage = outage;
        this.clock = clock;
        producer = settings.stageName() + "/jms";
        messages = new NumberedMessages(settings.numbers());
    }

    /** Makes {@link #run} return soon. */
    @Override
    public void stop()
    {
        isStopping = true;
    }

    /** Permits the next {@link #run}. */
    void allowRun()
    {
        isStopping = false;
        isAborted = false;
    }

    /** Ends calls that do not return. */
    @Override
    public void abort()
    {
        isAborted = true;
        final JmsLink open = link;
        if (open != null)
        {
            open.close();
        }
    }

    @Override
    public void run()
    {
        try
        {
            while (!isStopping)
            {
                try
                {
                    connect();
                    receive();
                }
                catch (final ConnectException e)
                {
                    fail(e.code(), e.getMessage());
                }
                catch (final JMSException | RuntimeException e)
                {
                    final ConnectException failure = connector.failure(e);
                    fail(failure.code(), failure.getMessage());
                }
                catch (final NotStoredException e)
                {
                    isLate = true;
                    fail(JmsErrorCode.NOT_STORED, e.getMessage());
                }
                catch (final IOException e)
                {
                    fail(JmsErrorCode.NUMBERS, JmsErrorCode.NUMBERS.message("the numbers of messages cannot be " +
                        "stored, stage=" + settings.stageName() + " file=" + settings.numbers() + " reason=" + e,
                        "free space or correct the permissions; use a file for each source"));
                }
            }
        }
        finally
        {
            end();
        }
    }

    /** Waits before the next attempt, unless the source is being stopped. */
    private void fail(final JmsErrorCode code, final String message)
    {
        disconnect();
        if (isStopping)
        {
            LOG.info("the source was stopped within a transaction, {}", message);
            return;
        }
        pause(outage.failed(code, message));
    }

    /** Rows that were sent, but whose messages are not acknowledged, are known when the messages arrive again. */
    private void end()
    {
        disconnect();
        try
        {
            messages.close();
        }
        catch (final IOException e)
        {
            LOG.warn(JmsErrorCode.NUMBERS.message("the numbers of messages cannot be closed, stage=" +
                settings.stageName() + " file=" + settings.numbers() + " reason=" + e, "check the disk"));
        }
    }

    private void connect() throws ConnectException, JMSException, IOException
    {
        beginNumbers();
        final List<DestinationSettings> destinations = settings.deadLetters() == null ?
            List.of(settings.destination()) : List.of(settings.destination(), settings.deadLetters());
        final JmsLink opened = connector.connect(settings.acknowledgement().mode(), destinations);
        link = opened;
        final Session session = opened.session();
        consumer = consumer(session, opened);
        deadLetters = settings.deadLetters() == null ? null :
            new DeadLetters(session, opened.destination(1), settings.stageName());
        opened.start();
        counters.connected(true);
        if (!isLate)
        {
            outage.ended();
        }
    }

    private MessageConsumer consumer(final Session session, final JmsLink opened) throws JMSException
    {
        final String selector = settings.selector();
        final String name = settings.subscription();
        if (name == null)
        {
            return session.createConsumer(opened.destination(0), selector);
        }
        if (!(opened.destination(0) instanceof final Topic topic))
        {
            throw new InvalidDestinationException("subscriptionName requires a topic");
        }
        return settings.isShared() ? session.createSharedDurableConsumer(topic, name, selector) :
            session.createDurableConsumer(topic, name, selector, false);
    }

    /** Continues the numbers of rows, after rows that are in transit have arrived. */
    private void beginNumbers() throws IOException
    {
        isNumbered = sender.receivedFrom(producer) != SequencedSink.NOT_STORED;
        long received = counters.sentNumber();
        long after = rows.lastNumber();
        if (isNumbered)
        {
            messages.openFile();
            if (!isLate && !isStored(received))
            {
                LOG.warn(notStored(received));
            }
            received = sender.receivedFrom(producer);
            after = after == 0 ? received + NumberedMessages.GAP : after;
        }
        messages.reopen(received);
        rows.number(isNumbered ? Producers.id(producer) : 0, after);
        openMessages = 0;
        openRows = 0;
    }

    private void receive() throws JMSException, IOException, NotStoredException
    {
        final JmsLink open = link;
        try
        {
            while (!isStopping)
            {
                final Message message = consumer.receive(openMessages > 0 ? LINGER_MS : IDLE_MS);
                open.check();
                if (message != null)
                {
                    take(message);
                }
                if (message == null && openMessages > 0 || openMessages >= settings.transactionMessages() ||
                    openRows >= MAX_ROWS)
                {
                    commit(open);
                }
            }
            if (openMessages > 0)
            {
                commit(open);
            }
        }
        finally
        {
            disconnect();
        }
    }

    private void take(final Message message) throws JMSException, IOException
    {
        counters.received();
        openMessages++;
        current = message;
        skip = messages.begin(message.getJMSMessageID(), rows.lastNumber() + 1);
        if (skip > 0)
        {
            counters.repeated();
        }
        reader.read(message, this);
    }

    @Override
    public void add() throws IOException
    {
        if (skip > 0)
        {
            skip--;
            reader.abandon();
            return;
        }
        if (rows.rows() == EventBatch.CAPACITY - 1)
        {
            messages.write();
        }
        openRows++;
        rows.add(rows.lastNumber() + 1, clock.epochNs());
    }

    @Override
    public void reject(final MessageRejectedException cause, final byte[] part) throws JMSException
    {
        final String id = current.getJMSMessageID();
        final Map<String, Object> origin = new LinkedHashMap<>();
        origin.put("messageId", id);
        counters.rejected();
        counters.rejectedRows.add(origin, cause.reason(), cause.getMessage());
        sender.reject(1, cause.reason(), JmsErrorCode.MESSAGE.message("a message is not an event, stage=" +
            settings.stageName() + " messageId=" + id + " reason=" + cause.reason() + ' ' + cause.getMessage(),
            deadLetters == null ? "correct the sender; deadLetterName keeps such messages" : "the message is in " +
            settings.deadLetters()));
        if (deadLetters != null)
        {
            deadLetters.send(current, part, cause);
            counters.deadLetter();
        }
    }

    /** Sends the last rows, waits until all are stored, and acknowledges the messages. */
    private void commit(final JmsLink open) throws JMSException, IOException, NotStoredException
    {
        messages.write();
        rows.flush();
        if (isNumbered && openRows > 0 && !isStored(rows.lastNumber()))
        {
            throw new NotStoredException(notStored(rows.lastNumber()));
        }
        switch (settings.acknowledgement())
        {
            case TRANSACTED -> open.session().commit();
            case CLIENT_ACKNOWLEDGE -> current.acknowledge();
            default ->
            {
                // The provider has acknowledged them.
            }
        }
        messages.committed();
        counters.committed();
        openMessages = 0;
        openRows = 0;
        current = null;
        if (isLate)
        {
            isLate = false;
            outage.ended();
        }
    }

    /** Waits until the stages below have stored a row. */
    private boolean isStored(final long number)
    {
        final long endNs = clock.epochNs() + TimeUnit.MILLISECONDS.toNanos(settings.storedMillis());
        boolean isStored = sender.receivedFrom(producer) >= number;
        while (!isStored && !isAborted && clock.epochNs() - endNs < 0)
        {
            LockSupport.parkNanos(this, POLL_NS);
            isStored = sender.receivedFrom(producer) >= number;
        }
        return isStored;
    }

    private String notStored(final long number)
    {
        return JmsErrorCode.NOT_STORED.message("the stages below have not stored rows in time, stage=" +
            settings.stageName() + " storedMillis=" + settings.storedMillis() + " lastNumber=" + number + " stored=" +
            sender.receivedFrom(producer), "correct the stage that rejects or delays rows; the messages are received " +
            "again");
    }

    private void disconnect()
    {
        final JmsLink open = link;
        link = null;
        consumer = null;
        deadLetters = null;
        if (open != null)
        {
            open.close();
            counters.connected(false);
            counters.rolledBack();
        }
    }

    private void pause(final long millis)
    {
        final long endNs = clock.epochNs() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (!isStopping && clock.epochNs() - endNs < 0)
        {
            LockSupport.parkNanos(this, SLEEP_NS);
        }
    }

    /** Rows were not stored in time. */
    private static final class NotStoredException extends Exception
    {
        private static final long serialVersionUID = 1L;

        NotStoredException(final String message)
        {
            super(message);
        }
    }
}
