package dev.millrace.command.scaling.report;

import com.google.gson.GsonBuilder;
import dev.millrace.command.scaling.ScalingResult;
import dev.millrace.command.scaling.ScalingRow;
import dev.millrace.command.scaling.ScalingRow.InstanceRow;
import dev.millrace.command.scaling.fleet.Machine;
import java.util.LinkedHashMap;
import java.util.Map;

/** Formats a study as JSON. */
public final class ScalingJson
{
    private static final double P9999 = 99.99;

    private ScalingJson()
    {
    }

    /** @return JSON; values that the system does not provide are null */
    public static String of(final ScalingResult result)
    {
        final Map<String, Object> out = new LinkedHashMap<>();
        out.put("machine", Machine.describe());
        out.put("jdk", Runtime.version().toString());
        out.put("instances", result.settings().instances());
        out.put("ticksPerPacket", result.settings().ticksPerPacket());
        out.put("seconds", result.settings().seconds());
        out.put("processorSets", result.settings().surroundings().sets().sets());
        out.put("generatorSets", result.settings().surroundings().generatorSets().sets());
        out.put("jvmOptions", result.settings().surroundings().jvmOptions().added());
        out.put("formedSeconds", result.formedSeconds());
        out.put("deployedSeconds", result.deployedSeconds());
        out.put("rows", result.rows().stream().map(ScalingJson::row).toList());
        return new GsonBuilder().setPrettyPrinting().serializeNulls().create().toJson(out) + "\n";
    }

    private static Map<String, Object> row(final ScalingRow row)
    {
        final Map<String, Object> out = new LinkedHashMap<>();
        out.put("connections", row.step().connections());
        out.put("offeredPerSec", row.offeredPerSec());
        out.put("acceptedPerSec", row.acceptedPerSec());
        out.put("outputPerSec", row.outputPerSec());
        out.put("sent", row.sent());
        out.put("accepted", row.accepted());
        out.put("expectedOutput", row.expectedOutput());
        out.put("output", row.output());
        out.put("instances", row.instances().stream().map(ScalingJson::instance).toList());
        out.put("maxMs", row.maxUs() / 1e3);
        out.put("measuredSec", row.cpu().seconds());
        out.put("cpuSec", known(row.cpu().thereSec()));
        out.put("serverCpuSec", row.cpu().serverSec());
        out.put("generatorCpuSec", row.cpu().generatorSec());
        out.put("serverRssMiB", known(row.serverRssMiB()));
        out.put("busyPercent", known(row.cpu().busyPercent()));
        out.put("saturated", ScalingResult.isSaturated(row));
        out.put("right", row.isRight());
        out.put("probe", Map.of("p9999Us", row.hiccupUs(P9999), "maxUs", row.hiccupUs(100)));
        return out;
    }

    private static Map<String, Object> instance(final InstanceRow instance)
    {
        final Map<String, Object> out = new LinkedHashMap<>();
        out.put("name", instance.name());
        out.put("acceptedPerSec", instance.acceptedPerSec());
        out.put("avgUs", instance.avgUs());
        out.put("p50Us", instance.percentileUs(50));
        out.put("p99Us", instance.percentileUs(99));
        out.put("p9999Us", instance.percentileUs(P9999));
        out.put("rssMiB", known(instance.residentMiB()));
        return out;
    }

    private static Double known(final double figure)
    {
        return Double.isNaN(figure) ? null : figure;
    }
}
