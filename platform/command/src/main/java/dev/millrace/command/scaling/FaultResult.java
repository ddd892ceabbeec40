package dev.millrace.command.scaling;

import com.google.gson.GsonBuilder;
import dev.millrace.command.CommandException;
import dev.millrace.command.ExitCode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Faults that were done, and what they did. Immutable.
 *
 * @param settings        what was done
 * @param formedSeconds   until the instances were one cluster
 * @param deployedSeconds until the application ran on all
 * @param checks          what was measured
 */
public record FaultResult(FaultSettings settings, double formedSeconds, double deployedSeconds,
    List<FaultCheck> checks)
{
    /** Copies the list. */
    public FaultResult
    {
        checks = List.copyOf(checks);
    }

    /**
     * For programs.
     *
     * @return JSON text; what has not happened at all is null
     */
    public String json()
    {
        final Map<String, Object> out = new LinkedHashMap<>();
        out.put("machine", Machine.describe());
        out.put("jdk", Runtime.version().toString());
        out.put("instances", settings.instances());
        out.put("eventsPerSec", settings.eventsPerSec());
        out.put("formedSeconds", formedSeconds);
        out.put("deployedSeconds", deployedSeconds);
        out.put("checks", checks.stream().map(FaultResult::check).toList());
        return new GsonBuilder().setPrettyPrinting().serializeNulls().create().toJson(out) + "\n";
    }

    private static Map<String, Object> check(final FaultCheck check)
    {
        final Map<String, Object> out = new LinkedHashMap<>();
        out.put("fault", check.fault().label());
        out.put("what", check.what());
        out.put("measured", Double.isFinite(check.measured()) ? check.measured() : null);
        out.put("most", check.most());
        out.put("unit", check.unit());
        out.put("right", check.isRight());
        return out;
    }

    /**
     * Refuses a run in which a fault did more than it may.
     *
     * @throws CommandException when a limit is broken
     */
    public void check()
    {
        final List<String> broken = checks.stream().filter(check -> !check.isRight())
            .map(check -> check.fault().label() + ": " + check.what()).toList();
        if (!broken.isEmpty())
        {
            throw new CommandException(ExitCode.FAILED, "CMD-0169", "limits are broken, which=" + broken,
                "times are those of this machine: try it again when it is quiet; rows must be right on any");
        }
    }
}
