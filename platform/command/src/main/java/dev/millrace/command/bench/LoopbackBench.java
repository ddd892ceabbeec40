package dev.millrace.command.bench;

import dev.millrace.loadgen.LoopbackBaseline;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Measures the loopback baseline: only a sender and a receiver over the loopback interface, one write per packet. */
public final class LoopbackBench
{
    private LoopbackBench()
    {
    }

    /**
     * @param ticksPerPacket rows per packet
     * @param seconds        length of a repetition
     * @param repetitions    number of repetitions, after one that is not counted
     * @param out            receives one line per repetition
     * @return packetsPerSec and eventsPerSec: all repetitions and median
     * @throws IOException when sockets fail
     */
    public static Map<String, Object> run(
        final int connections, final int ticksPerPacket, final int seconds, final int repetitions,
        final PrintWriter out) throws IOException, InterruptedException
    {
        final List<Double> packetsPerSec = new ArrayList<>();
        new LoopbackBaseline(connections, ticksPerPacket).run(1);
        for (int i = 1; i <= repetitions; i++)
        {
            final double rate = new LoopbackBaseline(connections, ticksPerPacket).run(seconds);
            packetsPerSec.add(rate / ticksPerPacket);
            out.printf("  loopback %d/%d  %,12.0f packets/s  %,12.0f events/s%n",
                i, repetitions, rate / ticksPerPacket, rate);
        }
        final Map<String, Object> result = new LinkedHashMap<>();
        result.put("connections", connections);
        result.put("ticksPerPacket", ticksPerPacket);
        result.put("packetsPerSec", packetsPerSec);
        result.put("medianPacketsPerSec", SampleStatistics.median(packetsPerSec));
        result.put("medianEventsPerSec", SampleStatistics.median(packetsPerSec) * ticksPerPacket);
        return result;
    }
}
