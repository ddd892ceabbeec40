package dev.millrace.command.recording;

import com.google.gson.JsonObject;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.instance.InstanceOptions;
import dev.millrace.command.view.OutputFormat;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Plays recorded events back into a running application. */
@Command(
    name = "playback",
    description = {"Plays the events of a dataset back: they leave a stage as if it emitted them.",
        "The stage needs <playback-parameters> in its configuration, with the name of a dataset at least."},
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "VERB",
    footer = {
        "",
        "Examples:",
        "  millrace playback start -A my.application -S ticks --dataset monday --speed 10",
        "  millrace playback status -A my.application",
        "  millrace playback stop -A my.application -S ticks"})
public final class PlaybackCommand implements Runnable
{
    @Spec
    private CommandSpec spec;

    @Override
    public void run()
    {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    @Command(name = "start", mixinStandardHelpOptions = true,
        description = {"Starts to play a dataset back. Returns when the first rows were found, and does not wait for"
            + " the end.", "What is not specified is taken from the configuration of the stage."},
        footer = {"", "Examples:", "  millrace playback start -A my.application -S ticks",
            "  millrace playback start -A my.application -S ticks --from 2026-11-30T09:00:00 --speed 2",
            "  millrace playback start -A my.application -S ticks --dataset monday --speed 1000000"})
    int start(@Mixin final InstanceOptions target, @Mixin final StageOptions.Application application,
        @Mixin final StageOptions.Stage stage, @Mixin final StageOptions.Selection selection,
        @Option(names = "--speed", paramLabel = "NUMBER",
            description = "1: as recorded; 2: twice as fast; 0.5: half as fast; 1000000: without pauses.")
        final String speed,
        @Option(names = "--repeat", paramLabel = "true|false", arity = "0..1", fallbackValue = "true",
            description = "Begins again after the last row, until it is stopped.") final Boolean repeat,
        @Mixin final OutputFormat format) throws IOException, InterruptedException
    {
        final boolean isJson = format.isJson();
        final JsonObject body = selection.body();
        body.addProperty("speed", speed);
        body.addProperty("repeat", repeat == null ? null : repeat.toString());
        RecordingTable.ofPlaybacks().print(target.client().recordings().change(application.name(), stage.id(),
            "playback/start", body), stage.id(), isJson, spec.commandLine().getOut());
        return ExitCode.DONE;
    }

    @Command(name = "stop", mixinStandardHelpOptions = true, description = "Stops a playback.",
        footer = {"", "Example:", "  millrace playback stop -A my.application -S ticks"})
    int stop(@Mixin final InstanceOptions target, @Mixin final StageOptions.Application application,
        @Mixin final StageOptions.Stage stage, @Mixin final OutputFormat format)
        throws IOException, InterruptedException
    {
        final boolean isJson = format.isJson();
        RecordingTable.ofPlaybacks().print(target.client().recordings().change(application.name(), stage.id(),
            "playback/stop", null), stage.id(), isJson, spec.commandLine().getOut());
        return ExitCode.DONE;
    }

    @Command(name = "status", mixinStandardHelpOptions = true,
        description = {"Shows the playbacks of an application.",
            "POSITION is the time at which the last emitted rows were recorded; PASSES counts how often all rows were"
                + " emitted."},
        footer = {"", "Examples:", "  millrace playback status -A my.application",
            "  millrace playback status -A my.application -S ticks --format json"})
    int status(@Mixin final InstanceOptions target, @Mixin final StageOptions.Application application,
        @Option(names = {"-S", "-stage", "--stage"}, paramLabel = "STAGE", description = "Only this stage.")
        final String stage, @Mixin final OutputFormat format) throws IOException, InterruptedException
    {
        final boolean isJson = format.isJson();
        RecordingTable.ofPlaybacks().print(target.client().recordings().status(application.name()), stage, isJson,
            spec.commandLine().getOut());
        return ExitCode.DONE;
    }
}
