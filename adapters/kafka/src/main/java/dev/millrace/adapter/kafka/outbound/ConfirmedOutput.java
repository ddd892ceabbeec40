package dev.millrace.adapter.kafka.outbound;

import dev.millrace.adapter.kafka.property.KafkaErrorCode;
import dev.millrace.adapter.kafka.property.KafkaFailure;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.BatchRejectedException;
import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.api.stage.SequencedSink;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes batches at least once: returns when the brokers have confirmed their records, and writes the rest again after
 * a failure. Without confirmation, it returns when the client has the records.
 */
final class ConfirmedOutput implements RecordOutput
{
    private static final Logger LOG = LoggerFactory.getLogger(ConfirmedOutput.class);

    private final SinkSettings settings;
    private final RecordEncoder encoder;
    private final RecordCheck check;
    private final SinkOutage outage;
    private final SinkCounters counters;
    private final Producer<byte[], byte[]> producer;
    private final List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
    private final List<Future<?>> answers = new ArrayList<>();
    private boolean isEnding;

    /** @param producer is closed with the output */
    ConfirmedOutput(final SinkSettings settings, final RecordEncoder encoder, final RecordCheck check,
        final SinkOutage outage, final SinkCounters counters, final Producer<byte[], byte[]> producer)
    {
        this.settings = settings;
        this.encoder = encoder;
        this.check = check;
        this.outage = outage;
        this.counters = counters;
        this.producer = producer;
    }

    @Override
    public synchronized void write(final EventBatch batch) throws EventRejectedException
    {
        encoder.map(batch);
        records.clear();
        for (int row = 0; row < batch.size(); row++)
        {
            records.add(encoder.encode(batch, row));
        }
        final List<Object> rejected = new ArrayList<>();
        int next = 0;
        while (next < records.size())
        {
            next = send(next, rejected);
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

    /** Sends the records from an index on; returns the index of the first one that must be sent again. */
    private int send(final int from, final List<Object> rejected) throws EventRejectedException
    {
        int next = from;
        try
        {
            answers.clear();
            give(from);
            if (settings.isConfirmed())
            {
                producer.flush();
            }
            for (final Future<?> answer : answers)
            {
                confirm(next, answer, rejected);
                next++;
            }
            outage.ended();
        }
        catch (final ExecutionException | KafkaException e)
        {
            await(e, records.size() - next);
        }
        return next;
    }

    /** Gives records to the client; stops at one that it has not accepted, for which it may have waited. */
    private void give(final int from)
    {
        final int partitions = check.partitions(producer);
        boolean isAccepted = true;
        for (int i = from; i < records.size() && isAccepted; i++)
        {
            final ProducerRecord<byte[], byte[]> record = records.get(i);
            final Future<?> answer =
                check.refusal(record, partitions) == null ? producer.send(record, this::sent) : null;
            answers.add(answer);
            isAccepted = answer == null || !settings.isConfirmed() || RecordCheck.outage(answer) == null;
        }
    }

    private void confirm(final int index, final Future<?> answer, final List<Object> rejected)
        throws ExecutionException
    {
        try
        {
            if (answer == null)
            {
                rejected.add(check.refusal(records.get(index), check.partitions(producer)));
            }
            else if (settings.isConfirmed())
            {
                answer.get();
                counters.written.incrementAndGet();
            }
        }
        catch (final ExecutionException e)
        {
            if (!RecordCheck.isOfRecord(e))
            {
                throw e;
            }
            rejected.add(KafkaFailure.reason(e.getCause()));
        }
        catch (final InterruptedException e)
        {
            throw new InterruptException(e);
        }
    }

    /** Counts records whose confirmation the channel does not await. Called by the thread of the client. */
    private void sent(final Object metadata, final Exception failure)
    {
        if (settings.isConfirmed())
        {
            return;
        }
        if (failure == null)
        {
            counters.written.incrementAndGet();
        }
        else if (counters.rejected.getAndIncrement() % RecordCheck.LOG_EVERY == 0)
        {
            LOG.warn(KafkaErrorCode.RECORD.message("a record was not written, stage=" + settings.stageName() +
                " topic=" + settings.topic() + " rejected=" + counters.rejected + " reason=" +
                KafkaFailure.reason(failure), "let the sink wait: waitForAcks"));
        }
    }

    /** Waits before the next attempt. */
    private void await(final Exception failure, final int rows) throws EventRejectedException
    {
        try
        {
            final long delayMs = outage.failed(failure);
            counters.retries.incrementAndGet();
            if (!isEnding && KafkaFailure.find(failure, InterruptException.class) == null)
            {
                wait(delayMs);
                if (!isEnding)
                {
                    return;
                }
            }
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
        counters.rejected.addAndGet(rows);
        throw new EventRejectedException(KafkaErrorCode.REST.message("rows were not confirmed before the end of the " +
            "application, stage=" + settings.stageName() + " rows=" + rows + " reason=" +
            KafkaFailure.reason(failure), "their source sends them again if it can"), failure);
    }

    @Override
    public long receivedFrom(final String name)
    {
        return SequencedSink.NOT_STORED;
    }

    @Override
    public void close()
    {
        synchronized (this)
        {
            isEnding = true;
            notifyAll();
        }
        producer.close(settings.answer());
    }
}
