package dev.millrace.command.demo;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The load of the sample.
 *
 * @param connections    connections of the generator; each symbol is sent on one of them
 * @param rate           total events per second of all connections; 0 = as fast as possible
 * @param ticksPerPacket rows per packet
 * @param seconds        duration
 * @param maxEvents      maximum number of events; 0 = limited by the duration
 * @param writePerPacket whether every packet is written separately
 * @param rampUpSeconds  time in which the rate rises from one tenth to the full rate
 * @param spins          whether it spins before packets as by default; otherwise it only sleeps
 */
public record LoadProfile(
    int connections, long rate, int ticksPerPacket, int seconds, long maxEvents, boolean writePerPacket,
    int rampUpSeconds, boolean spins)
{
    private static final double START_SHARE = 0.1;

    /** Returns the same load with another duration, no limit of events and no ramp-up. */
    public LoadProfile lasting(final int otherSeconds)
    {
        return new LoadProfile(connections, rate, ticksPerPacket, otherSeconds, 0, writePerPacket, 0, spins);
    }

    /**
     * Whether each instance and each generator has its own processor of this machine. Otherwise, spinning takes
     * processor time from the others.
     *
     * @param instances with one generator each
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
