package dev.millrace.cql.processor.simulation;

/**
 * A row of a source, or a heartbeat.
 *
 * @param channel  S or T
 * @param producer of the channel
 * @param number   of the row among those of its producer, from 1; 0 for a heartbeat
 * @param q        different for each row
 */
record Item(String channel, int producer, long number, long timeNs, String symbol, double price, int q)
{
    boolean isHeartbeat()
    {
        return number == 0;
    }

    Item at(final long otherNs)
    {
        return new Item(channel, producer, number, otherNs, symbol, price, q);
    }

    String producerName()
    {
        return producerName(channel, producer);
    }

    static String producerName(final String channel, final int producer)
    {
        return "simulation/" + channel + '/' + producer;
    }
}
