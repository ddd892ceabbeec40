package dev.millrace.command.domain;

import com.google.gson.JsonObject;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.instance.Domain;
import dev.millrace.command.instance.DomainSelection;
import dev.millrace.command.instance.InstanceOptions;
import dev.millrace.command.instance.InstanceState;
import dev.millrace.command.view.OutputFormat;
import dev.millrace.command.view.WatchOption;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Shows the state of instances. */
@Command(
    name = "status", mixinStandardHelpOptions = true,
    description = {
        "Shows the state of one instance in detail, or of several in a table: name, state, pid, uptime, ports. States" +
            " are STOPPED, STARTING, RUNNING, SHUTTING_DOWN, and NO ANSWER.",
        "Returns 2 when an instance is not RUNNING."},
    footer = {
        "",
        "Examples:",
        "  millrace domain status --domain /srv/market",
        "  millrace domain status --all",
        "  millrace domain status --all --format json",
        "  millrace domain status --all --watch",
        "  millrace domain status 'defaultserver?*'"})
final class StatusDomainCommand implements Callable<Integer>
{
    @Spec
    private CommandSpec spec;

    @Mixin
    private DomainSelection selection;

    @Mixin
    private InstanceOptions target;

    @Mixin
    private OutputFormat format;

    @Mixin
    private WatchOption watch;

    @Override
    public Integer call() throws IOException, InterruptedException
    {
        final boolean isJson = format.isJson();
        return watch.show(spec.commandLine().getOut(),
            out -> selection.isGiven() ? table(isJson, out) : detail(isJson, out));
    }

    private int detail(final boolean isJson, final PrintWriter out) throws IOException, InterruptedException
    {
        final JsonObject server = target.client().server();
        if (isJson)
        {
            OutputFormat.print(server, watch.isOn(), out);
        }
        else
        {
            server.entrySet().forEach(entry -> out.printf("%-14s %s%n", entry.getKey(),
                entry.getValue().isJsonPrimitive() ? entry.getValue().getAsString() : entry.getValue()));
            out.flush();
        }
        return InstanceState.RUNNING.equals(server.get("state").getAsString()) ? ExitCode.DONE : ExitCode.NOT_FOUND;
    }

    private int table(final boolean isJson, final PrintWriter out) throws IOException, InterruptedException
    {
        final List<InstanceState> states = new ArrayList<>();
        for (final Domain domain : selection.domains())
        {
            states.add(InstanceState.asked(domain));
        }
        DomainTable.print(states, isJson, watch.isOn(), out);
        return states.stream().allMatch(state -> InstanceState.RUNNING.equals(state.state())) ?
            ExitCode.DONE : ExitCode.NOT_FOUND;
    }
}
