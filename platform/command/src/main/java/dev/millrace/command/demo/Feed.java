package dev.millrace.command.demo;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How the sample is fed.
 *
 * @param connections    connections of the generator; each symbol travels on one of them
 * @param rate           events a second over all connections; 0 = as fast as possible
 * @param ticksPerPacket rows a packet
 * @param seconds        length
 * @param maxEvents      end after so many events; 0 = the length decides
 * @param writePerPacket whether every packet is a write of its own
 * @param rampUpSeconds  how long the rate takes to rise from a tenth to all of it
 * @param spins          whether it spins before packets as much as it does by itself; else it only sleeps
 */
public record Feed(
    int connections, long rate, int ticksPerPacket, int seconds, long maxEvents, boolean writePerPacket,
    int rampUpSeconds, boolean spins)
{
    private static final double START_SHARE = 0.1;

    /**
     * The same for another time.
     *
     * @param otherSeconds length
     * @return feed without a limit of events
     */
    public Feed lasting(final int otherSeconds)
    {
        return new Feed(connections, rate, ticksPerPacket, otherSeconds, 0, writePerPacket, 0, spins);
    }

    /**
     * Whether each of some generators and of as many instances has a processor of this machine for itself. Where it has
     * not, spinning takes the time of those who have something to do.
     *
     * @param instances with a generator each
     * @return for {@link #spins}
     */
    public static boolean haveRoom(final int instances)
    {
        return 2 * instances <= Runtime.getRuntime().availableProcessors();
    }

    Map<String, String> properties(final Path data, final int port, final int timesyncPort, final Path summary)
    {
        final Map<String, String> properties = new LinkedHashMap<>();
        properties.put("test.csvDataFile", data.toString());
        properties.put("test.packetType", "CSV");
        properties.put("test.host", "127.0.0.1");
        properties.put("test.port", String.valueOf(port));
        properties.put("test.timesyncPort", String.valueOf(timesyncPort));
        properties.put("test.senders", String.valueOf(connections));
        properties.put("test.split", "symbol");
        properties.put("test.rate", rate == 0 ? "max" : String.valueOf((double)rate / connections));
        if (rate > 0 && rampUpSeconds > 0)
        {
            properties.put("test.startRate", String.valueOf(START_SHARE * rate / connections));
            properties.put("test.rampUpSecs", String.valueOf(rampUpSeconds));
        }
        properties.put("test.ticksPerPacket", String.valueOf(ticksPerPacket));
        properties.put("test.secs", String.valueOf(seconds));
        properties.put("test.maxEvents", String.valueOf(maxEvents));
        properties.put("test.writePerPacket", String.valueOf(writePerPacket));
        if (!spins)
        {
            properties.put("test.spinPercent", "0");
        }
        properties.put("test.latencyStats", "true");
        properties.put("test.statInterval", "1000");
        properties.put("test.summaryFile", summary.toString());
        return properties;
    }
}
