package dev.millrace.adapter.mqtt.inbound;

import dev.millrace.adapter.common.source.Outage;
import dev.millrace.adapter.common.source.RowBatch;
import dev.millrace.adapter.common.source.SourceRunner;
import dev.millrace.adapter.mqtt.connect.Incoming;
import dev.millrace.adapter.mqtt.connect.MqttErrorCode;
import dev.millrace.adapter.mqtt.connect.MqttException;
import dev.millrace.adapter.mqtt.connect.MqttLink;
import dev.millrace.adapter.mqtt.connect.MqttLinks;
import dev.millrace.adapter.mqtt.connect.Outgoing;
import dev.millrace.api.event.Producers;
import dev.millrace.api.stage.EventBatchSender;
import dev.millrace.api.stage.SequencedSink;
import dev.millrace.api.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives messages until it is stopped, and connects again after failures. A message is acknowledged when the stages
 * below have stored its rows.
 *
 * <p>Threads: {@link #run} on the source's thread, the other methods on any thread. A full queue blocks the thread of
 * the connection.
 */
final class ReceiveLoop implements MessageReader.RowConsumer, SourceRunner.Loop
{
    private static final Logger LOG = LoggerFactory.getLogger(ReceiveLoop.class);
    private static final int QUEUE_MESSAGES = 1_024;
    private static final long IDLE_MS = 100;
    /** How long the first rows of a batch wait for more. */
    private static final long LINGER_MS = 1;
    private static final long SLEEP_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final int CONFIRM_EVERY = 256;
    /**
     * How far numbers continue after the last one that all stages below have stored: more than the rows that are not
     * acknowledged, so that no stage below has stored a greater number.
     */
    private static final long GAP = 1L << 32;

    private final SourceSettings settings;
    private final MessageReader reader;
    private final RowBatch rows;
    private final EventBatchSender sender;
    private final SourceCounters counters;
    private final Outage outage;
    private final Clock clock;
    private final String producer;
    private final PendingMessages pending = new PendingMessages();
    private boolean isNumbered;
    private Incoming current;
    /** Whether rows were not stored in time since the last acknowledgement. */
    private boolean isLate;
    private volatile MqttLink link;
    private volatile boolean isStopping;
    private volatile boolean isAborted;

    ReceiveLoop(final SourceSettings settings, final MessageReader reader, final RowBatch rows,
        final EventBatchSender sender, final SourceCounters counters, final Outage outage, final Clock clock)
    {
        this.settings = settings;
        this.reader = reader;
        this.rows = rows;
        this.sender = sender;
        this.counters = counters;
        this.outage = outage;
        this.clock = clock;
        producer = settings.stageName() + "/mqtt";
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
        final MqttLink open = link;
        if (open != null)
        {
            open.close();
        }
    }

    @Override
    public void run()
    {
        while (!isStopping)
        {
            // Messages of a connection that has ended are not taken from the queue of the next one.
            final BlockingQueue<Incoming> queue = new ArrayBlockingQueue<>(QUEUE_MESSAGES);
            try
            {
                beginNumbers();
                connect(queue);
                receive(queue);
            }
            catch (final MqttException e)
            {
                fail(e.code(), e.getMessage());
            }
            catch (final InterruptedException e)
            {
                Thread.currentThread().interrupt();
                isStopping = true;
            }
            finally
            {
                disconnect();
            }
        }
    }

    private void fail(final MqttErrorCode code, final String message)
    {
        disconnect();
        if (isStopping)
        {
            LOG.info("the source was stopped before all messages were acknowledged, {}", message);
            return;
        }
        isLate |= code == MqttErrorCode.NOT_STORED;
        final long endNs = clock.epochNs() + TimeUnit.MILLISECONDS.toNanos(outage.failed(code, message));
        while (!isStopping && clock.epochNs() - endNs < 0)
        {
            LockSupport.parkNanos(this, SLEEP_NS);
        }
    }

    private void beginNumbers()
    {
        final long received = sender.receivedFrom(producer);
        isNumbered = received != SequencedSink.NOT_STORED;
        final long after = isNumbered && rows.lastNumber() == 0 ? received + GAP : rows.lastNumber();
        rows.number(isNumbered ? Producers.id(producer) : 0, after);
    }

    private void connect(final BlockingQueue<Incoming> queue) throws MqttException
    {
        final MqttLink opened = MqttLinks.of(settings.connection());
        link = opened;
        opened.connect(message -> enqueue(queue, message));
        opened.subscribe(settings.filters(), settings.qos());
        counters.connected(true);
        if (!isLate)
        {
            outage.ended();
        }
    }

    private static void enqueue(final BlockingQueue<Incoming> queue, final Incoming message)
    {
        try
        {
            queue.put(message);
        }
        catch (final InterruptedException e)
        {
            // The connection is being closed: the broker sends the message again.
            Thread.currentThread().interrupt();
        }
    }

    private void receive(final BlockingQueue<Incoming> queue) throws MqttException, InterruptedException
    {
        final MqttLink open = link;
        while (!isStopping)
        {
            final Incoming message = queue.poll(pending.isEmpty() ? IDLE_MS : LINGER_MS, TimeUnit.MILLISECONDS);
            if (message != null)
            {
                take(message);
            }
            if (message == null || pending.count() % CONFIRM_EVERY == 0)
            {
                rows.flush();
                confirm();
            }
            open.check();
        }
        rows.flush();
        while (!pending.isEmpty() && !isAborted)
        {
            confirm();
            LockSupport.parkNanos(this, SLEEP_NS / 10);
        }
    }

    private void take(final Incoming message) throws MqttException
    {
        counters.received();
        current = message;
        reader.read(message, this);
        pending.add(message.confirm(), rows.lastNumber(), clock.epochNs());
    }

    @Override
    public void add()
    {
        rows.add(rows.lastNumber() + 1, clock.epochNs());
    }

    @Override
    public void reject(final String reason, final String detail, final byte[] part) throws MqttException
    {
        final Map<String, Object> origin = new LinkedHashMap<>();
        origin.put("topic", current.topic());
        counters.rejected();
        counters.rejectedRows.add(origin, reason, detail);
        sender.reject(1, reason, MqttErrorCode.MESSAGE.message("a message is not an event, stage=" +
            settings.stageName() + " topic=" + current.topic() + " reason=" + reason + ' ' + detail,
            settings.deadLetters() == null ? "correct the sender; deadLetterTopic keeps such messages" :
            "the message was published to " + settings.deadLetters()));
        if (settings.deadLetters() != null)
        {
            final MqttLink open = link;
            open.await(open.publish(new Outgoing(settings.deadLetters(), part, 1, false)));
            counters.deadLetter();
        }
    }

    private void confirm() throws MqttException
    {
        final long received = isNumbered ? sender.receivedFrom(producer) : counters.sentNumber();
        // Rows of rejected messages have no numbers.
        final int confirmed = pending.confirm(received >= counters.sentNumber() ? rows.lastNumber() : received);
        for (int i = 0; i < confirmed; i++)
        {
            counters.acknowledged();
        }
        if (confirmed > 0 && isLate)
        {
            isLate = false;
            outage.ended();
        }
        if (!pending.isEmpty() &&
            clock.epochNs() - pending.oldestNs() > TimeUnit.MILLISECONDS.toNanos(settings.storedMillis()))
        {
            throw new MqttException(MqttErrorCode.NOT_STORED, "the stages below have not stored rows in time, stage=" +
                settings.stageName() + " storedMillis=" + settings.storedMillis() + " lastNumber=" +
                rows.lastNumber() + " stored=" + received, "correct the stage that rejects or delays rows; the " +
                "messages are received again", null);
        }
    }

    private void disconnect()
    {
        pending.clear();
        current = null;
        final MqttLink open = link;
        link = null;
        if (open != null)
        {
            open.close();
            counters.connected(false);
        }
    }
}
