package dev.millrace.command.recording;

import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.instance.InstanceOptions;
import dev.millrace.command.view.OutputFormat;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Records the events that leave the stages of a running application. */
@Command(
    name = "record",
    description = {"Records the events that leave a stage, in a dataset of the instance.",
        "The instance needs <event-store> in its config.xml. See also millrace playback and millrace events."},
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "VERB",
    footer = {
        "",
        "Examples:",
        "  millrace record start -A my.application -S ticks --dataset monday",
        "  millrace record status -A my.application",
        "  millrace record stop -A my.application -S ticks"})
public final class RecordCommand implements Runnable
{
    @Spec
    private CommandSpec spec;

    @Override
    public void run()
    {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    @Command(name = "start", mixinStandardHelpOptions = true,
        description = {"Starts to record a stage. Rows are appended to the dataset if it exists.",
            "With --from or --to, only rows that leave the stage in that period are recorded. Recording ends with the"
                + " application."},
        footer = {"", "Examples:", "  millrace record start -A my.application -S ticks",
            "  millrace record start -A my.application -S ticks --dataset monday --to 2026-11-30T18:00:00+01:00"})
    int start(@Mixin final InstanceOptions target, @Mixin final StageOptions.Application application,
        @Mixin final StageOptions.Stage stage, @Mixin final StageOptions.Selection selection,
        @Mixin final OutputFormat format) throws IOException, InterruptedException
    {
        final boolean isJson = format.isJson();
        RecordingTable.ofRecordings().print(target.client().recordings().change(application.name(), stage.id(),
            "record/start", selection.body()), stage.id(), isJson, spec.commandLine().getOut());
        return ExitCode.DONE;
    }

    @Command(name = "stop", mixinStandardHelpOptions = true, description = "Stops to record a stage.",
        footer = {"", "Example:", "  millrace record stop -A my.application -S ticks"})
    int stop(@Mixin final InstanceOptions target, @Mixin final StageOptions.Application application,
        @Mixin final StageOptions.Stage stage, @Mixin final OutputFormat format)
        throws IOException, InterruptedException
    {
        final boolean isJson = format.isJson();
        RecordingTable.ofRecordings().print(target.client().recordings().change(application.name(), stage.id(),
            "record/stop", null), stage.id(), isJson, spec.commandLine().getOut());
        return ExitCode.DONE;
    }

    @Command(name = "status", mixinStandardHelpOptions = true,
        description = {"Shows the recordings of an application.",
            "IDLE: configured, not started. WAITING: its period has not begun. ENDED: its period has ended. FAILED: "
                + "recording has stopped because of a failure; NOT RECORDED counts the rows since then."},
        footer = {"", "Examples:", "  millrace record status -A my.application",
            "  millrace record status -A my.application -S ticks --format json"})
    int status(@Mixin final InstanceOptions target, @Mixin final StageOptions.Application application,
        @Option(names = {"-S", "-stage", "--stage"}, paramLabel = "STAGE", description = "Only this stage.")
        final String stage, @Mixin final OutputFormat format) throws IOException, InterruptedException
    {
        final boolean isJson = format.isJson();
        RecordingTable.ofRecordings().print(target.client().recordings().status(application.name()), stage, isJson,
            spec.commandLine().getOut());
        return ExitCode.DONE;
    }
}
