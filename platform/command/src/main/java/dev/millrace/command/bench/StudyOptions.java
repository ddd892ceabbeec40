package dev.millrace.command.bench;

import dev.millrace.api.internal.StatusLine;
import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.cli.OptionRange;
import dev.millrace.command.cli.OutputFile;
import dev.millrace.command.instance.CleanupStack;
import dev.millrace.command.instance.Home;
import dev.millrace.command.instance.JvmOptions;
import dev.millrace.command.instance.ProcessorSets;
import dev.millrace.command.scaling.ScalingResult;
import dev.millrace.command.scaling.ScalingRun;
import dev.millrace.command.scaling.fleet.RunEnvironment;
import dev.millrace.command.scaling.fleet.ScalingSettings;
import dev.millrace.command.scaling.fleet.ScalingSettings.Step;
import dev.millrace.command.scaling.report.ScalingJson;
import dev.millrace.command.scaling.report.ScalingReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Common options of the studies of instances, and their execution. */
final class StudyOptions
{
    private static final Pattern RANGE = Pattern.compile("(\\d{1,9})-(\\d{1,9})");
    private static final Pattern NUMBER = Pattern.compile("\\d{1,9}");
    private static final int MAX_NUMBERS = 1000;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(names = "--connections", paramLabel = "RANGE", defaultValue = "1-8",
        description = "Connections of each generator, in this order: 1-8, or 1,2,4; default ${DEFAULT-VALUE}.")
    private String connections;

    @Option(names = "--ticks-per-packet", paramLabel = "N",
        description = "Events per packet, 1 to 1000; default as in the white paper: 10 for scaling, 1 for peak.")
    private Integer ticksPerPacket;

    @Option(names = "--seconds", paramLabel = "S", defaultValue = "20",
        description = "Measured seconds per row; default ${DEFAULT-VALUE}.")
    private int seconds;

    @Option(names = "--warmup", paramLabel = "S", defaultValue = "10",
        description = "Warm-up seconds per row; default ${DEFAULT-VALUE}.")
    private int warmUpSeconds;

    @Option(names = "--json", paramLabel = "FILE", description = "File for the figures.")
    private Path json;

    @Option(names = "--html", paramLabel = "FILE", description = "File for an HTML page with table and charts.")
    private Path html;

    @Option(names = "--processor-sets", paramLabel = "SETS",
        description = "Processors of the instances, assigned round-robin: 0-3,4-7, or 0+2,1+3; on Solaris the numbers"
            + " of sets.")
    private String processorSets;

    @Option(names = "--generator-sets", paramLabel = "SETS",
        description = "Processors of the generators, in the same format.")
    private String generatorSets;

    @Option(names = "--jvm-options", paramLabel = "OPTIONS", defaultValue = "",
        description = "Additional JVM options of the instances, separated by blanks; a garbage collector replaces"
            + " theirs.")
    private String jvmOptions;

    @Option(names = "--keep", description = "Keep the directories of instances and generators.")
    private boolean keep;

    List<Integer> connections()
    {
        return numbers("--connections", connections, 1, 64).stream().map(Long::intValue).toList();
    }

    /** Returns the settings of a study. */
    ScalingSettings settings(final int instances, final List<Step> steps, final int usualTicksPerPacket)
    {
        final int ticks = ticksPerPacket == null ? usualTicksPerPacket : ticksPerPacket;
        OptionRange.check("--ticks-per-packet", ticks, 1, 1000);
        OptionRange.check("--seconds", seconds, 1, 86_400);
        OptionRange.check("--warmup", warmUpSeconds, 1, 86_400);
        return new ScalingSettings(instances, steps, ticks, seconds, warmUpSeconds, new RunEnvironment(
            ProcessorSets.several("--processor-sets", processorSets),
            ProcessorSets.several("--generator-sets", generatorSets), new JvmOptions(jvmOptions)), keep);
    }

    /** Runs a study and writes the requested files. */
    ScalingResult run(final ScalingSettings settings) throws IOException, InterruptedException
    {
        OutputFile.check("--json", json);
        OutputFile.check("--html", html);
        final PrintWriter out = spec.commandLine().getOut();
        final ScalingResult result;
        try (CleanupStack cleanup = new CleanupStack(spec.commandLine().getErr());
            StatusLine screen = StatusLine.ofProcess(0, 0, System::nanoTime))
        {
            result = ScalingRun.run(Home.find(), settings, cleanup, screen::show, line ->
            {
                screen.clear();
                out.println(line);
                out.flush();
            }, this::write);
        }
        result.check();
        return result;
    }

    private void write(final ScalingResult result) throws IOException
    {
        if (json != null)
        {
            Files.writeString(json, ScalingJson.of(result));
        }
        if (html != null)
        {
            Files.writeString(html, ScalingReport.of(result));
        }
    }

    void showPeak(final ScalingResult result)
    {
        final PrintWriter out = spec.commandLine().getOut();
        result.peak().ifPresent(out::println);
        out.flush();
    }

    /** Parses numbers such as 1-8 or 1,2,4. */
    static List<Long> numbers(final String option, final String text, final long least, final long most)
    {
        final List<Long> numbers = new ArrayList<>();
        for (final String part : text.split(",", -1))
        {
            final Matcher range = RANGE.matcher(part.strip());
            final boolean isRange = range.matches();
            if (!isRange && !NUMBER.matcher(part.strip()).matches())
            {
                throw new CommandException(ExitCode.USAGE, "CMD-0166", "not a range of numbers, " + option + "=" + text,
                    "use the form 1-8 or 1,2,4");
            }
            final long first = Long.parseLong(isRange ? range.group(1) : part.strip());
            final long last = isRange ? Long.parseLong(range.group(2)) : first;
            OptionRange.check(option, first, least, most);
            OptionRange.check(option, last, least, most);
            if (last < first || last - first >= MAX_NUMBERS)
            {
                throw new CommandException(ExitCode.USAGE, "CMD-0166", "not a range of numbers, " + option + "=" + text,
                    "the first number must not be greater than the last");
            }
            for (long each = first; each <= last; each++)
            {
                numbers.add(each);
            }
        }
        return numbers;
    }
}
