package dev.millrace.adapter.kafka.inbound;

import dev.millrace.adapter.common.source.Deadline;
import dev.millrace.adapter.common.source.Outage;
import dev.millrace.adapter.kafka.property.KafkaErrorCode;
import dev.millrace.adapter.kafka.property.KafkaFailure;
import dev.millrace.api.time.Clock;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RetriableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the records of some partitions until it is stopped; connects again after failures. Confined to one thread of
 * the source, except {@link #stop}.
 */
final class ConsumerLoop
{
    private static final Logger LOG = LoggerFactory.getLogger(ConsumerLoop.class);
    private static final Duration POLL = Duration.ofMillis(100);
    /** Time without records after which the brokers are asked whether they still respond. */
    private static final long QUIET_NS = TimeUnit.SECONDS.toNanos(1);

    private final SourceSettings settings;
    private final Supplier<Consumer<ByteBuffer, ByteBuffer>> consumers;
    private final Function<Consumer<ByteBuffer, ByteBuffer>, ConsumerSession> sessions;
    private final List<Integer> share;
    private final RecordReader reader;
    private final PartitionBatch rows;
    private final DeadLetters deadLetters;
    private final Outage outage;
    private final Clock clock;
    private final long commitNs;
    private long nextCommitNs;
    private long nextProbeNs;
    private volatile boolean isStopping;
    private volatile Thread thread;

    /** @param share of the assigned partitions; {@code null} if the group assigns partitions */
    ConsumerLoop(final SourceSettings settings, final Supplier<Consumer<ByteBuffer, ByteBuffer>> consumers,
        final Function<Consumer<ByteBuffer, ByteBuffer>, ConsumerSession> sessions, final List<Integer> share,
        final RecordReader reader, final PartitionBatch rows, final DeadLetters deadLetters, final Outage outage,
        final Clock clock)
    {
        this.settings = settings;
        this.consumers = consumers;
        this.sessions = sessions;
        this.share = share;
        this.reader = reader;
        this.rows = rows;
        this.deadLetters = deadLetters;
        this.outage = outage;
        this.clock = clock;
        commitNs = TimeUnit.MILLISECONDS.toNanos(settings.commitMillis());
    }

    /** Lets {@link #run} return soon. Any thread may call it. */
    void stop()
    {
        isStopping = true;
        LockSupport.unpark(thread);
    }

    /** Lets {@link #run} be called again. */
    void allowRun()
    {
        isStopping = false;
    }

    /** Reads until it is stopped. */
    void run()
    {
        thread = Thread.currentThread();
        final ClassLoader before = thread.getContextClassLoader();
        // Kafka finds classes that properties name by this loader.
        thread.setContextClassLoader(ConsumerLoop.class.getClassLoader());
        try
        {
            while (!isStopping)
            {
                connect();
            }
        }
        catch (final InterruptException e)
        {
            LOG.warn("the source was interrupted, stage={}", settings.stageName());
            Thread.currentThread().interrupt();
        }
        finally
        {
            deadLetters.close();
            thread.setContextClassLoader(before);
        }
    }

    private void connect()
    {
        try (ConsumerSession session = sessions.apply(consumers.get()))
        {
            read(session);
        }
        catch (final OffsetOutOfRangeException e)
        {
            // The next session compares its positions with the partitions.
            LOG.debug("positions are out of range, stage={} reason={}", settings.stageName(), e.getMessage());
        }
        catch (final InterruptException e)
        {
            throw e;
        }
        catch (final KafkaException | SourceException e)
        {
            deadLetters.close();
            failed(e);
        }
    }

    private void read(final ConsumerSession session)
    {
        try
        {
            session.open(share);
            final long nowNs = clock.epochNs();
            nextCommitNs = nowNs + commitNs;
            nextProbeNs = nowNs;
            while (!isStopping)
            {
                step(session);
            }
            session.end();
        }
        catch (final KafkaException | SourceException e)
        {
            session.abandon();
            throw e;
        }
    }

    private void step(final ConsumerSession session)
    {
        final ConsumerRecords<ByteBuffer, ByteBuffer> records = session.poll(POLL);
        final long nowNs = clock.epochNs();
        if (!records.isEmpty())
        {
            for (final TopicPartition partition : records.partitions())
            {
                final PartitionCursor cursor = session.cursor(partition);
                if (cursor != null)
                {
                    reader.read(cursor, records.records(partition), nowNs, () -> isStopping);
                }
            }
            rows.flush();
            nextProbeNs = nowNs + QUIET_NS;
            outage.ended();
        }
        else if (nowNs >= nextProbeNs)
        {
            probe(session);
        }
        if (nowNs >= nextCommitNs)
        {
            session.commitAsync();
            nextCommitNs = nowNs + commitNs;
        }
    }

    private void probe(final ConsumerSession session)
    {
        long delayNs = QUIET_NS;
        try
        {
            session.probe();
            outage.ended();
        }
        catch (final RetriableException e)
        {
            // The consumer connects again by itself, and other brokers may still respond.
            delayNs = TimeUnit.MILLISECONDS.toNanos(outage.failed(KafkaErrorCode.AWAY, message(e)));
        }
        nextProbeNs = clock.epochNs() + delayNs;
    }

    private void failed(final RuntimeException failure)
    {
        final SourceException own = KafkaFailure.find(failure, SourceException.class);
        sleepMillis(own != null ? outage.failed(own.code(), own.getMessage()) :
            outage.failed(KafkaFailure.code(failure), message(failure)));
    }

    private String message(final RuntimeException failure)
    {
        final KafkaErrorCode code = KafkaFailure.code(failure);
        final String at = ", stage=" + settings.stageName() + " servers=" + settings.servers() + " reason=" +
            KafkaFailure.reason(failure);
        return switch (code)
        {
            case DENIED -> code.message(KafkaFailure.denied(failure, "read") + at,
                KafkaFailure.nextIfDenied(failure) + ": the source tries again");
            case AWAY -> code.message("the brokers do not respond" + at,
                "start them, or correct servers: the source tries again");
            default -> code.message("records cannot be read" + at,
                "see the log of the brokers: the source tries again");
        };
    }

    private void sleepMillis(final long millis)
    {
        Deadline.afterMillis(millis).sleepUnless(() -> isStopping);
    }
}
