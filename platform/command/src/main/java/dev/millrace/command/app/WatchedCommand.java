package dev.millrace.command.app;

import com.google.gson.JsonElement;
import dev.millrace.command.instance.InstanceOptions;
import dev.millrace.command.management.ManagementClient;
import dev.millrace.command.view.OutputFormat;
import dev.millrace.command.view.WatchOption;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that shows applications of an instance as text or JSON, once or repeatedly. Not thread-safe. */
abstract class WatchedCommand implements Callable<Integer>
{
    @Spec
    private CommandSpec spec;

    @Mixin
    private InstanceOptions target;

    @Mixin
    private OutputFormat format;

    @Mixin
    private WatchOption watch;

    @Override
    public final Integer call() throws IOException, InterruptedException
    {
        final boolean isJson = format.isJson();
        final ManagementClient client = target.client();
        return watch.show(spec.commandLine().getOut(), out -> show(client, isJson, out));
    }

    /** Shows the current state; returns the exit code. */
    abstract int show(ManagementClient client, boolean isJson, PrintWriter out) throws InterruptedException;

    /** Prints JSON, one line per element if the output repeats. */
    final void print(final JsonElement json, final PrintWriter out)
    {
        OutputFormat.print(json, watch.isOn(), out);
    }
}
