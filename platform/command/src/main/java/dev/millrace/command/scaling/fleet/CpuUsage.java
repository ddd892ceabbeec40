package dev.millrace.command.scaling.fleet;

import java.util.List;

/**
 * Use of the processors while a row was measured. All values cover the same period, so that they add up.
 *
 * @param seconds      length of the period: the requested time plus the time to read all instances
 * @param thereSec     available time of all processors; NaN when the system does not provide it
 * @param serverSec    processor time of all instances
 * @param generatorSec processor time of all generators
 * @param busyPercent  use of all processors; NaN when the system does not provide it
 */
public record CpuUsage(double seconds, double thereSec, double serverSec, double generatorSec, double busyPercent)
{
    /**
     * Values at one time.
     *
     * @param machine      all processors
     * @param serverSec    processor time of all instances since their start
     * @param generatorSec processor time of all generators since their start
     */
    public record Moment(SystemCpuTime machine, double serverSec, double generatorSec)
    {
        /** Reads all values without requests to instances, which would use processor time. */
        public static Moment now(final List<Fleet.Instance> instances, final GeneratorFleet generators)
        {
            return new Moment(SystemCpuTime.now(),
                instances.stream().mapToDouble(instance -> ProcessUsage.of(instance.pid()).cpuSec()).sum(),
                generators.cpuSec());
        }

        public CpuUsage since(final Moment before)
        {
            return new CpuUsage(machine.secondsSince(before.machine), machine.thereSecSince(before.machine),
                serverSec - before.serverSec, generatorSec - before.generatorSec,
                machine.busyPercentSince(before.machine));
        }
    }
}
