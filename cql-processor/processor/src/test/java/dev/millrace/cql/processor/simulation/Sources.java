package dev.millrace.cql.processor.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * The sources, each of which sends the rows of one producer in order, again after some row when it connects. Rows that
 * have their times from the script also keep the order of the script; rows that get a time when they arrive do not: one
 * source may be far ahead of another. Confined to one thread.
 */
final class Sources
{
    private static final int MOST_ROWS = 6;

    private final Script script;
    private final boolean isReordered;
    private final Random random;
    /** The number of the last row that each source has sent. */
    private final Map<String, Long> sent = new HashMap<>();
    /** Index of the item that is sent next, if the order is that of the script. */
    private int next;
    /** Items before this one were stored when the sources connected. */
    private int firstNew;
    /** Time of the last row that got it when it arrived. */
    private long arrivalNs;

    Sources(final Script script, final boolean isReordered, final Random random)
    {
        this.script = script;
        this.isReordered = isReordered;
        this.random = random;
    }

    /** Connects the sources. Each sends the rows after a number that is at most that of its last stored row. */
    void connect(final Map<String, Long> stored, final Map<String, Long> from)
    {
        sent.clear();
        sent.putAll(from);
        next = firstAfter(from);
        firstNew = firstAfter(stored);
    }

    private int firstAfter(final Map<String, Long> numbers)
    {
        int index = 0;
        while (index < script.items().size() && !isAfter(script.items().get(index), numbers))
        {
            index++;
        }
        return index;
    }

    private static boolean isAfter(final Item item, final Map<String, Long> numbers)
    {
        return !item.isHeartbeat() && item.number() > numbers.get(item.producerName());
    }

    boolean isDone()
    {
        return isReordered ? script.items().stream().noneMatch(item -> isAfter(item, sent)) :
            next == script.items().size();
    }

    /** The next batch, of one channel; may be empty. */
    List<Item> next()
    {
        final int most = 1 + random.nextInt(MOST_ROWS);
        return isReordered ? ofOneSource(most) : inOrder(most);
    }

    private List<Item> ofOneSource(final int most)
    {
        final String channel = SimulatedProcess.CHANNELS.get(random.nextInt(SimulatedProcess.CHANNELS.size()));
        final String name = Item.producerName(channel, random.nextInt(Script.PRODUCERS));
        final List<Item> batch = new ArrayList<>();
        for (final Item item : script.items())
        {
            if (!item.isHeartbeat() && batch.size() < most && item.producerName().equals(name) && isAfter(item, sent))
            {
                arrivalNs += Script.MILLISECOND;
                batch.add(item.at(arrivalNs));
                sent.put(name, item.number());
            }
        }
        return batch;
    }

    private List<Item> inOrder(final int most)
    {
        final List<Item> batch = new ArrayList<>();
        while (next < script.items().size() && batch.size() < most)
        {
            final Item item = script.items().get(next);
            final boolean isAlone = item.isHeartbeat() || !batch.isEmpty() && batch.get(0).isHeartbeat();
            if (!batch.isEmpty() && (isAlone || !item.channel().equals(batch.get(0).channel())))
            {
                return batch;
            }
            next++;
            if (item.isHeartbeat() ? next > firstNew : isAfter(item, sent))
            {
                batch.add(item);
            }
        }
        return batch;
    }
}
