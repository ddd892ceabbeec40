package dev.millrace.command.bench;

import java.nio.file.Path;

/**
 * Settings of a soak. Immutable.
 *
 * @param ratePerSec     events per second; 0 = {@code loadPercent} of the instance's maximum input rate
 * @param loadPercent    share of the peak, 1 to 100
 * @param samples        at least three
 * @param sampleSeconds  load between two samples
 * @param connections    connections of the generator
 * @param ticksPerPacket rows per packet
 * @param jdk            Java of the instance and the generator, or {@code null} for that of this process
 */
public record SoakSettings(long ratePerSec, int loadPercent, int samples, int sampleSeconds, int connections,
    int ticksPerPacket, Path jdk)
{
}
