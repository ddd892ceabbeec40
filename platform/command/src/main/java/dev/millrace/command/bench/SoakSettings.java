package dev.millrace.command.bench;

import java.nio.file.Path;

/**
 * What a soak runs. Immutable.
 *
 * @param ratePerSec     events a second; 0 = {@code loadPercent} of what the instance takes in at most
 * @param loadPercent    share of the peak, 1 to 100
 * @param samples        at least three
 * @param sampleSeconds  load between two samples
 * @param connections    of the generator
 * @param ticksPerPacket rows a packet
 * @param jdk            Java of the instance and the generator, or {@code null} for the one of this process
 */
public record SoakSettings(long ratePerSec, int loadPercent, int samples, int sampleSeconds, int connections,
    int ticksPerPacket, Path jdk)
{
}
