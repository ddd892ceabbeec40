package dev.millrace.command.scaling.fault;

import com.google.gson.GsonBuilder;
import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.scaling.fleet.Machine;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Faults and their measured effects. Immutable.
 *
 * @param formedSeconds   time until the instances were one cluster
 * @param deployedSeconds time until the application ran on all instances
 * @param checks          the measured effects
 */
public record FaultResult(FaultSettings settings, double formedSeconds, double deployedSeconds,
    List<FaultCheck> checks)
{
    public FaultResult
    {
        checks = List.copyOf(checks);
    }

    /** Returns the result as JSON; infinite values are null. */
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
     * Ends the command when an effect exceeds its limit.
     *
     * @throws CommandException when a limit is exceeded
     */
    public void check()
    {
        final List<String> broken = checks.stream().filter(check -> !check.isRight())
            .map(check -> check.fault().label() + ": " + check.what()).toList();
        if (!broken.isEmpty())
        {
            throw new CommandException(ExitCode.FAILED, "CMD-0169", "limits are exceeded, which=" + broken,
                "times depend on this machine: try again when it is idle; rows must be correct on any machine");
        }
    }
}
