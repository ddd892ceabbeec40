package dev.millrace.cql.processor.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** The rows and heartbeats of all sources, in the order in which they are sent at first. Immutable. */
final class Script
{
    static final int PRODUCERS = 2;
    static final int SYMBOLS = 3;
    static final long MILLISECOND = 1_000_000;

    private final List<Item> items = new ArrayList<>();

    /**
     * @param hasOwnSymbols whether each producer has one symbol of its own
     */
    Script(final Random random, final int rows, final boolean hasOwnSymbols)
    {
        final long[][] numbers = new long[SimulatedProcess.CHANNELS.size()][PRODUCERS];
        long timeNs = MILLISECOND;
        for (int row = 0; row < rows; row++)
        {
            timeNs += (1 + random.nextInt(3)) * MILLISECOND;
            final int channel = random.nextInt(4) == 0 ? 1 : 0;
            final String name = SimulatedProcess.CHANNELS.get(channel);
            if (random.nextInt(10) == 0)
            {
                items.add(new Item(name, 0, 0, timeNs, null, 0, 0));
                timeNs += MILLISECOND;
            }
            final int producer = random.nextInt(PRODUCERS);
            items.add(new Item(name, producer, ++numbers[channel][producer], timeNs,
                "s" + (hasOwnSymbols ? producer : random.nextInt(SYMBOLS)), random.nextInt(10), row));
        }
    }

    List<Item> items()
    {
        return items;
    }

    /** A heartbeat long after all rows. */
    Item end(final String channel)
    {
        return new Item(channel, 0, 0, items.get(items.size() - 1).timeNs() + 1_000_000 * MILLISECOND, null, 0, 0);
    }
}
