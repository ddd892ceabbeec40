package dev.millrace.adapter.mqtt.inbound;

import java.util.ArrayDeque;
import java.util.Deque;

/** Messages whose rows were sent and that are not acknowledged, in order. Confined to one thread. */
final class PendingMessages
{
    /**
     * A message.
     *
     * @param confirm acknowledges it
     * @param last    number of its last row, or of the row before it if it has none
     * @param sinceNs when it was received, by the clock of the network
     */
    private record Pending(Runnable confirm, long last, long sinceNs)
    {
    }

    private final Deque<Pending> messages = new ArrayDeque<>();

    void add(final Runnable confirm, final long last, final long sinceNs)
    {
        messages.addLast(new Pending(confirm, last, sinceNs));
    }

    boolean isEmpty()
    {
        return messages.isEmpty();
    }

    int count()
    {
        return messages.size();
    }

    /** When the oldest message was received. */
    long oldestNs()
    {
        return messages.getFirst().sinceNs();
    }

    /**
     * Acknowledges the messages whose rows were received.
     *
     * @param received number of the last row that was received
     * @return how many
     */
    int confirm(final long received)
    {
        int confirmed = 0;
        while (!messages.isEmpty() && messages.getFirst().last() <= received)
        {
            messages.removeFirst().confirm().run();
            confirmed++;
        }
        return confirmed;
    }

    /** Forgets messages of a connection that has ended: the broker sends them again. */
    void clear()
    {
        messages.clear();
    }
}
