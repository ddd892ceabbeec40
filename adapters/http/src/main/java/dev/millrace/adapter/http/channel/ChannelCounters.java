package dev.millrace.adapter.http.channel;

import dev.millrace.adapter.common.source.RejectedRows;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** The figures of a server of channels. Thread-safe. */
public final class ChannelCounters
{
    private final RejectedRows rejectedMessages = new RejectedRows();
    private final LongAdder published = new LongAdder();
    private final LongAdder delivered = new LongAdder();
    private final LongAdder replayed = new LongAdder();
    private final LongAdder lost = new LongAdder();
    private final LongAdder slowClients = new LongAdder();
    private final LongAdder refusedClients = new LongAdder();
    private final LongAdder rejected = new LongAdder();

    void published(final int messages)
    {
        published.add(messages);
    }

    /** Counts messages that were written to a client. */
    public void delivered(final int messages)
    {
        delivered.add(messages);
    }

    void replayed()
    {
        replayed.increment();
    }

    /** Counts messages that a client has not received because it was too slow or its connection broke. */
    public void lost(final int messages)
    {
        lost.add(messages);
    }

    /** Counts a client that is disconnected because it was too slow. */
    public void slowClient()
    {
        slowClients.increment();
    }

    /** Counts a client that was refused. */
    public void refusedClient()
    {
        refusedClients.increment();
    }

    /** Counts a message of a client that was rejected. */
    public void rejected(final String channel, final String reason, final String detail)
    {
        rejected.increment();
        rejectedMessages.add(Map.of("channel", channel), reason, detail);
    }

    /** The figures by name. */
    Map<String, Object> snapshot()
    {
        final Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("published", published.sum());
        figures.put("delivered", delivered.sum());
        figures.put("replayed", replayed.sum());
        figures.put("lost", lost.sum());
        figures.put("slowClients", slowClients.sum());
        figures.put("refusedClients", refusedClients.sum());
        figures.put("rejectedMessages", rejected.sum());
        figures.put("lastRejectedMessages", rejectedMessages.rows());
        return figures;
    }
}
