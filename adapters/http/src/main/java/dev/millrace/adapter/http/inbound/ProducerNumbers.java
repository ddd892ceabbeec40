package dev.millrace.adapter.http.inbound;

import dev.millrace.adapter.http.property.HttpErrorCode;
import dev.millrace.adapter.http.property.RefusedRequest;
import dev.millrace.api.event.Producers;
import dev.millrace.api.event.RowSequence;
import dev.millrace.api.stage.EventBatchSender;
import dev.millrace.api.stage.SequencedSink;
import dev.millrace.api.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Numbers the rows of requests, and finds out which were received. Rows of requests with a key have numbers of the
 * client's producer. Other rows have numbers of a producer of the source, so that it learns when they are stored.
 * Confined to the thread of the source.
 */
final class ProducerNumbers
{
    /**
     * The numbers that are left out when the source starts. Stages with several threads may report an earlier number
     * than some of them have stored, at most by the rows since their last snapshot; they would drop rows that have
     * these numbers again.
     */
    private static final long LEFT_OUT = 1L << 31;
    private static final long PARK_NS = 50_000;

    private final EventBatchSender sender;
    private final String stageName;
    private final int maxProducers;
    private final long confirmTimeoutNs;
    private final BooleanSupplier isStopping;
    private final Clock clock;
    /** The number of the last row that was received in this process, by the name of the client's producer. */
    private final Map<String, Long> received = new HashMap<>();
    /** The last number of the source's own producer; 0 before the first. */
    private long ownLast;

    ProducerNumbers(final EventBatchSender sender, final SourceSettings settings, final Clock clock,
        final BooleanSupplier isStopping)
    {
        this.clock = clock;
        this.sender = sender;
        this.isStopping = isStopping;
        stageName = settings.stageName();
        maxProducers = settings.maxProducers();
        confirmTimeoutNs = TimeUnit.MILLISECONDS.toNanos(settings.confirmTimeoutMillis());
    }

    /** Numbers for the rows of a request without a key. */
    Numbering own()
    {
        final String producer = stageName + "/requests";
        final long known = sender.receivedFrom(producer);
        if (known == SequencedSink.NOT_STORED)
        {
            return new Numbering(producer, 0, 0);
        }
        ownLast = ownLast == 0 ? known + LEFT_OUT : Math.max(ownLast, known);
        if (ownLast >= RowSequence.MAX_NUMBER - LEFT_OUT)
        {
            throw new IllegalStateException(HttpErrorCode.NUMBERS.message("the numbers of rows are exhausted, stage=" +
                stageName, "delete the state of the application, or rename the stage"));
        }
        return new Numbering(producer, id(producer), ownLast);
    }

    /** The rows of a request without a key were sent. */
    void sent(final Numbering own, final int records)
    {
        ownLast = own.number(records);
    }

    /** Numbers for the rows of a request with a key. */
    Numbering of(final String client, final RequestKey key) throws RefusedRequest
    {
        final String producer = stageName + '/' + client + '/' + key.producer();
        if (!received.containsKey(producer) && received.size() >= maxProducers)
        {
            throw new RefusedRequest(RefusedRequest.FORBIDDEN, HttpErrorCode.TOO_MANY_PRODUCERS,
                "there are more than " + maxProducers + " producers since the start", "use few names of producers in " +
                RequestKey.HEADER + ", or raise maxProducers of the adapter");
        }
        received.putIfAbsent(producer, 0L);
        final boolean isStored = sender.receivedFrom(producer) != SequencedSink.NOT_STORED;
        return new Numbering(producer, isStored ? id(producer) : 0, key.numberOf(0));
    }

    private int id(final String producer)
    {
        final int id = Producers.id(producer);
        if (id == 0)
        {
            throw new IllegalStateException(HttpErrorCode.NUMBERS.message("more than " + Producers.MAX +
                " producers since the start, stage=" + stageName, "restart the server"));
        }
        return id;
    }

    /** Whether a row was received before. */
    boolean isReceived(final Numbering numbering, final long number)
    {
        return (numbering.isStored() ? sender.receivedFrom(numbering.producer()) :
            received.getOrDefault(numbering.producer(), 0L)) >= number;
    }

    /**
     * Waits until a row that was sent is stored.
     *
     * @return false if that is not known in time
     */
    boolean awaitReceived(final Numbering numbering, final long number)
    {
        if (!numbering.isStored())
        {
            received.computeIfPresent(numbering.producer(), (name, last) -> Math.max(last, number));
            return true;
        }
        final long startNs = clock.epochNs();
        boolean isReceived = isReceived(numbering, number);
        while (!isReceived && clock.epochNs() - startNs < confirmTimeoutNs && !isStopping.getAsBoolean())
        {
            LockSupport.parkNanos(this, PARK_NS);
            isReceived = isReceived(numbering, number);
        }
        return isReceived;
    }
}
