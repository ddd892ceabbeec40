package dev.millrace.adapter.kafka.outbound;

import dev.millrace.adapter.common.sink.ReceivedRows;
import dev.millrace.adapter.common.source.Deadline;
import dev.millrace.adapter.kafka.property.KafkaErrorCode;
import dev.millrace.adapter.kafka.property.KafkaFailure;
import dev.millrace.api.condition.StageConditions;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.BatchRejectedException;
import dev.millrace.api.stage.EventRejectedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes rows and their numbers in transactions. The thread of the channel adds rows to the current transaction; a
 * thread of the output commits it periodically. The records of the current transaction are kept: after a failure they
 * are written again in another transaction, unless the numbers show that they were committed.
 */
final class TransactionalOutput implements RecordOutput
{
    private static final Logger LOG = LoggerFactory.getLogger(TransactionalOutput.class);

    private final SinkSettings settings;
    private final RecordEncoder encoder;
    private final RecordCheck check;
    private final SinkOutage outage;
    private final SinkCounters counters;
    private final StageConditions conditions;
    private final ProducerFactory clients;
    private final PositionTopic positions;
    private final Thread committer;
    private final String writer = UUID.randomUUID().toString();
    private final ReceivedRows received = new ReceivedRows(true);
    /** The records of the current transaction. */
    private final List<ProducerRecord<byte[], byte[]>> pending = new ArrayList<>();
    /** How many of them the client has. */
    private int sent;
    /** How many of them a commit contained whose result is not known. */
    private int attempted;
    /** Records that the brokers have refused; filled by the thread of the client. */
    private final Set<ProducerRecord<byte[], byte[]>> refused =
        Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));
    /** {@code null} while there is no connection. */
    private Producer<byte[], byte[]> producer;
    private boolean hasBegun;
    private Deadline commitDue;
    /** Whether numbers were received that are not stored. */
    private boolean isDirty;
    /** {@code null} until the numbers are known. */
    private volatile StoredPosition stored;
    /** The message with which rows are rejected after another sink has taken over; otherwise {@code null}. */
    private String fenced;
    private boolean isEnding;

    TransactionalOutput(final SinkSettings settings, final RecordEncoder encoder, final RecordCheck check,
        final SinkOutage outage, final SinkCounters counters, final StageConditions conditions,
        final ProducerFactory clients)
    {
        this.settings = settings;
        this.encoder = encoder;
        this.check = check;
        this.outage = outage;
        this.counters = counters;
        this.conditions = conditions;
        this.clients = clients;
        positions = new PositionTopic(settings);
        committer = new Thread(this::commitPeriodically, "millrace-kafka-" + settings.stageName());
        committer.setDaemon(true);
        committer.start();
    }

    @Override
    public synchronized void write(final EventBatch batch) throws EventRejectedException
    {
        encoder.map(batch);
        // The numbers must be known.
        attempt(this::connect, batch.size());
        final int[] rows = new int[batch.size()];
        final int count = received.select(batch, rows);
        counters.repeated.addAndGet(batch.size() - count);
        if (count == 0)
        {
            return;
        }
        final List<Object> rejected = new ArrayList<>();
        final List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>(count);
        attempt(() -> encode(batch, rows, count, records, rejected), count);
        pending.addAll(records);
        received.accept();
        isDirty = true;
        attempt(this::send, count);
        if (pending.size() >= settings.commitRows() || hasBegun && commitDue.hasPassed())
        {
            attempt(this::commit, count);
        }
        if (!rejected.isEmpty())
        {
            counters.rejected.addAndGet(rejected.size());
            throw new BatchRejectedException(KafkaErrorCode.RECORD.message("rows cannot be records, stage=" +
                settings.stageName() + " topic=" + settings.topic() + " rows=" + rejected.size() + " first: " +
                rejected.get(0), "correct partitionColumn, values that the format cannot contain, or the limits of" +
                " client and topic"), rejected);
        }
    }

    private long commitNs()
    {
        return TimeUnit.MILLISECONDS.toNanos(settings.commitMillis());
    }

    private void encode(final EventBatch batch, final int[] rows, final int count,
        final List<ProducerRecord<byte[], byte[]>> records, final List<Object> rejected)
    {
        connect();
        records.clear();
        rejected.clear();
        final int partitions = check.partitions(producer);
        for (int i = 0; i < count; i++)
        {
            final ProducerRecord<byte[], byte[]> record = encoder.encode(batch, rows[i]);
            final String refusal = check.refusal(record, partitions);
            if (refusal == null)
            {
                records.add(record);
            }
            else
            {
                rejected.add(refusal);
            }
        }
    }

    /** Runs something until it succeeds. */
    private void attempt(final Runnable action, final int rows) throws EventRejectedException
    {
        boolean isDone = false;
        while (!isDone)
        {
            if (fenced != null)
            {
                counters.rejected.addAndGet(rows);
                throw new EventRejectedException(fenced);
            }
            try
            {
                action.run();
                outage.ended();
                isDone = true;
            }
            catch (final ProducerFencedException e)
            {
                fence(e.getMessage());
            }
            catch (final KafkaException e)
            {
                await(e, rows);
            }
        }
    }

    private void fence(final String reason)
    {
        disconnect();
        fenced = KafkaErrorCode.FENCED.message("another sink uses the same transactionalId, or a transaction has " +
            "taken too long, stage=" + settings.stageName() + " transactionalId=" + settings.transactionalId() +
            " reason=" + reason, "use a transactionalId for each sink and restart the application, whose durable " +
            "processors then send the rows again");
        conditions.raise(KafkaErrorCode.FENCED.text(), fenced);
        LOG.error(fenced);
    }

    private void await(final KafkaException failure, final int rows) throws EventRejectedException
    {
        disconnect();
        dropRefused();
        try
        {
            final long delayMs = outage.failed(failure);
            counters.retries.incrementAndGet();
            if (!isEnding && KafkaFailure.find(failure, InterruptException.class) == null)
            {
                wait(delayMs);
                return;
            }
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
        throw new EventRejectedException(KafkaErrorCode.REST.message("rows were not committed before the end of the " +
            "application, stage=" + settings.stageName() + " rows=" + Math.max(rows, pending.size()) + " reason=" +
            KafkaFailure.reason(failure), "durable processors send them again after the next start"), failure);
    }

    /** Drops records that no attempt can write; their transaction was aborted. */
    private void dropRefused()
    {
        if (!refused.isEmpty())
        {
            pending.removeIf(refused::contains);
            attempted = 0;
            counters.rejected.addAndGet(refused.size());
            LOG.warn(KafkaErrorCode.RECORD.message("the brokers refuse records, stage=" + settings.stageName() +
                " topic=" + settings.topic() + " rows=" + refused.size(), "increase max.message.bytes of the topic"));
            refused.clear();
        }
    }

    private void disconnect()
    {
        if (producer != null)
        {
            producer.close(Duration.ZERO);
            producer = null;
        }
        hasBegun = false;
        sent = 0;
    }

    /** Connects, and finds out what was committed. */
    private void connect()
    {
        if (producer != null)
        {
            return;
        }
        final Producer<byte[], byte[]> opened = clients.producer();
        try
        {
            // Ends the transaction of an earlier connection, which is complete afterwards.
            opened.initTransactions();
            recover(positions.read(clients));
            producer = opened;
        }
        finally
        {
            if (producer == null)
            {
                opened.close(Duration.ZERO);
            }
        }
    }

    private void recover(final StoredPosition found)
    {
        if (stored == null)
        {
            received.restore(found.numbers());
            stored = found;
        }
        else if (found.transaction() == stored.transaction() + 1 && found.writer().equals(writer))
        {
            committed(found);
        }
        else if (found.transaction() != stored.transaction())
        {
            throw new ProducerFencedException("transaction=" + found.transaction() + " expected=" +
                stored.transaction());
        }
        attempted = 0;
    }

    private void committed(final StoredPosition position)
    {
        counters.written.addAndGet(attempted);
        counters.commits.incrementAndGet();
        pending.subList(0, attempted).clear();
        attempted = 0;
        sent = 0;
        hasBegun = false;
        stored = position;
        isDirty = !pending.isEmpty();
    }

    /** Gives the client the records that it does not have. */
    private void send()
    {
        connect();
        if (!hasBegun)
        {
            producer.beginTransaction();
            hasBegun = true;
            commitDue = Deadline.afterNs(commitNs());
        }
        while (sent < pending.size())
        {
            final ProducerRecord<byte[], byte[]> record = pending.get(sent);
            final KafkaException away = RecordCheck.outage(producer.send(record, (metadata, failure) ->
            {
                if (failure != null && RecordCheck.isOfRecord(failure))
                {
                    refused.add(record);
                }
            }));
            if (away != null)
            {
                // The client would wait as long for each of the others.
                throw away;
            }
            sent++;
        }
    }

    private void commit()
    {
        send();
        if (isDirty)
        {
            final StoredPosition next = new StoredPosition(stored.transaction() + 1, writer, received.numbers());
            producer.send(positions.record(next));
            attempted = pending.size();
            producer.commitTransaction();
            committed(next);
        }
    }

    private void commitPeriodically()
    {
        try
        {
            while (awaitRows())
            {
                synchronized (this)
                {
                    commitIfOpen();
                }
            }
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for the time between two commits; returns false when the sink ends. */
    private synchronized boolean awaitRows() throws InterruptedException
    {
        final Deadline deadline = Deadline.afterNs(commitNs());
        while (!isEnding && !deadline.hasPassed())
        {
            TimeUnit.NANOSECONDS.timedWait(this, Math.max(1, deadline.remainingNs()));
        }
        return !isEnding;
    }

    private void commitIfOpen()
    {
        try
        {
            if (isDirty && fenced == null)
            {
                attempt(this::commit, 0);
            }
        }
        catch (final EventRejectedException e)
        {
            LOG.warn(e.getMessage());
        }
    }

    /** @throws IllegalStateException if the numbers cannot be read: it is not known then which rows are to be sent */
    @Override
    public long receivedFrom(final String name)
    {
        if (stored == null)
        {
            readNumbers();
        }
        return stored.numbers().getOrDefault(name, 0L);
    }

    private synchronized void readNumbers()
    {
        try
        {
            if (stored == null)
            {
                connect();
            }
        }
        catch (final KafkaException | IllegalArgumentException e)
        {
            throw new IllegalStateException(KafkaErrorCode.NUMBERS.message("the numbers of stored rows cannot be " +
                "read, stage=" + settings.stageName() + " servers=" + settings.servers() + " positionTopic=" +
                settings.positionTopic() + " reason=" + KafkaFailure.reason(e), "start the brokers, or correct the " +
                "access control lists for the topic and for transactionalId=" + settings.transactionalId()), e);
        }
    }

    @Override
    public void close()
    {
        synchronized (this)
        {
            isEnding = true;
            notifyAll();
        }
        try
        {
            committer.join();
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
        synchronized (this)
        {
            commitIfOpen();
            disconnect();
        }
    }
}
