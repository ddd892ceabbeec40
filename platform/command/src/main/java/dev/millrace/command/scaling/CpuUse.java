package dev.millrace.command.scaling;

import java.util.List;

/**
 * What the processors did while a row was measured. All of it is of one stretch of time, so that its parts add up.
 *
 * @param seconds      how long that was: what was asked for, and what looking at all instances took besides
 * @param thereSec     processor time that there was, of all processors; NaN when the system does not tell
 * @param serverSec    processor time of all instances
 * @param generatorSec processor time of all generators
 * @param busyPercent  of all processors; NaN when the system does not tell
 */
record CpuUse(double seconds, double thereSec, double serverSec, double generatorSec, double busyPercent)
{
    /**
     * A moment.
     *
     * @param machine      all processors
     * @param serverSec    processor time of all instances since their start
     * @param generatorSec processor time of all generators since their start
     */
    record Moment(MachineUse machine, double serverSec, double generatorSec)
    {
        /** Reads all at a time, asking nobody: instances that answer would be measured at it. */
        static Moment now(final List<Fleet.Instance> instances, final GeneratorFleet generators)
        {
            return new Moment(MachineUse.now(),
                instances.stream().mapToDouble(instance -> ProcessUse.of(instance.pid()).cpuSec()).sum(),
                generators.cpuSec());
        }

        CpuUse since(final Moment before)
        {
            return new CpuUse(machine.secondsSince(before.machine), machine.thereSecSince(before.machine),
                serverSec - before.serverSec, generatorSec - before.generatorSec,
                machine.busyPercentSince(before.machine));
        }
    }
}
