package dev.millrace.command.simulation;

import com.google.gson.GsonBuilder;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Formats a simulation as JSON. */
public final class SimulationJson
{
    private SimulationJson()
    {
    }

    /** @return JSON; undefined figures are null */
    public static String of(final SimulationResult result)
    {
        final Map<String, Object> out = new LinkedHashMap<>();
        out.put("settings", result.settings());
        final Map<String, Object> constants = new LinkedHashMap<>();
        for (final Constant constant : Constant.values())
        {
            constants.put(constant.name(), Map.of("value", constant.value(), "unit", constant.unit(), "origin",
                constant.origin().name().toLowerCase(Locale.ROOT), "source", constant.source()));
        }
        out.put("constants", constants);
        out.put("rows", result.rows().stream().map(row -> row(result.settings(), row)).toList());
        return new GsonBuilder().setPrettyPrinting().serializeNulls().create().toJson(out) + "\n";
    }

    private static Map<String, Object> row(final SimulationSettings settings, final SimulationRow row)
    {
        final Map<String, Object> out = new LinkedHashMap<>();
        out.put("members", row.members());
        out.put("eventsPerSec", row.members() * settings.rate());
        out.put("hopShare", settings.isPartitionedInFront() ? 0.0 : row.batches().remoteShare());
        out.put("eventsPerBatch", settings.isPartitionedInFront() ? null : finite(row.batches().eventsPerBatch()));
        out.put("batchesPerSec", settings.isPartitionedInFront() ? 0.0 : row.batches().batchesPerSourceSec());
        out.put("meanCores", row.meanCores());
        out.put("topCores", row.topCores());
        out.put("topToMean", row.imbalance());
        out.put("idleMembers", row.placement().idle());
        out.put("loss", loss(row.loss()));
        out.put("control", row.control());
        out.put("limits", CapacityLimit.of(settings, row).stream().map(SimulationJson::limit).toList());
        return out;
    }

    private static Map<String, Object> loss(final MemberLossSimulation.Figures loss)
    {
        final Map<String, Object> out = new LinkedHashMap<>();
        out.put("lost", loss.lost());
        out.put("movedPartitions", loss.movedPartitions());
        out.put("otherMoves", loss.otherMoves());
        out.put("reroutedShare", loss.reroutedShare());
        out.put("heldEvents", loss.heldEvents());
        out.put("gapMs", loss.gapMs());
        out.put("caughtUpMs", finite(loss.caughtUpMs()));
        out.put("overloadedMembers", loss.overloaded());
        return out;
    }

    private static Map<String, Object> limit(final CapacityLimit limit)
    {
        final Map<String, Object> out = new LinkedHashMap<>();
        out.put("name", limit.name());
        out.put("need", limit.need());
        out.put("have", limit.have());
        out.put("unit", limit.unit());
        out.put("broken", limit.isBroken());
        out.put("wayOut", limit.wayOut());
        return out;
    }

    private static Double finite(final double value)
    {
        return Double.isFinite(value) ? value : null;
    }
}
