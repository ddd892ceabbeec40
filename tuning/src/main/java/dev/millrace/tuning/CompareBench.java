package dev.millrace.tuning;

import dev.millrace.tuning.harness.CommandSupport;
import dev.millrace.tuning.report.Machine;
import dev.millrace.tuning.report.ReferenceRatioSet;
import dev.millrace.tuning.report.ReferenceRatios;
import dev.millrace.tuning.report.ResultFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code millrace bench compare}: compares a run with the best known ratios. */
@Command(
    name = "millrace bench compare",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Compares a run of bench engine with the best known ratios to the baseline.",
    footer = {
        "",
        "A machine is compared with its own ratios, or with the greatest of all others if it has none.",
        "",
        "Examples:",
        "  millrace bench engine --json new.json && millrace bench compare new.json",
        "  millrace bench compare --update new.json       adopts the ratios in the guard",
        "",
        "Exit codes: 0 no ratio is twice as bad, 1 some ratio is, or a file cannot be read, 64 wrong usage."})
public final class CompareBench implements Callable<Integer>
{
    @Parameters(paramLabel = "RESULT.json", description = "written by millrace bench engine --json")
    private Path result;

    @Option(names = "--guard", paramLabel = "FILE",
        description = "file of ratios (default: tuning/guard.json of the sources, otherwise the built-in ratios)")
    private Path guardFile;

    @Option(names = "--update",
        description = "writes the run's ratios into the guard of this machine; ratios of other workloads are kept")
    private boolean update;

    @Spec
    private CommandSpec spec;

    /**
     * Runs the comparison.
     *
     * @param arguments options, see {@code --help}
     * @return exit code: 0 when no ratio is twice as bad
     * @throws Exception when something fails unexpectedly
     */
    public static int run(final String... arguments) throws Exception
    {
        return CommandSupport.run(new CompareBench(), arguments);
    }

    @Override
    public Integer call()
    {
        try
        {
            final Path file = guardFile != null ? guardFile : ofSources();
            final ResultFile run = new ResultFile(result);
            return update ? update(file, run) :
                compare((file == null ? ReferenceRatioSet.builtIn() :
                    ReferenceRatioSet.read(file)).forMachine(Machine.name()), run);
        }
        catch (final NoSuchFileException e)
        {
            return fail("no such file: " + e.getFile());
        }
        catch (final IOException e)
        {
            return fail(e.getMessage());
        }
    }

    private int fail(final String reason)
    {
        spec.commandLine().getErr().println("CMD-0162: nothing was compared, reason=" + reason);
        return CommandSupport.FAILED;
    }

    /** The file in the sources that the command was built from; null without sources. */
    private static Path ofSources()
    {
        final String sources = System.getProperty("millrace.sources", "");
        return sources.isEmpty() ? null : Path.of(sources, "tuning", "guard.json");
    }

    private int compare(final ReferenceRatios guard, final ResultFile run)
    {
        final PrintWriter out = spec.commandLine().getOut();
        out.println("guard: " + guard.origin());
        out.println(ReferenceRatios.HEAD);
        final List<ReferenceRatios.Change> changes = guard.changes(run.ratios());
        changes.forEach(change -> out.println(change.line()));
        run.otherForms().forEach(each -> out.println("omitted, another form of the workload: " + each));
        final List<String> worse =
            changes.stream().filter(ReferenceRatios.Change::isTwiceAsBad).map(ReferenceRatios.Change::name).toList();
        if (worse.isEmpty())
        {
            out.println("nothing is twice as bad as in the guard");
            return CommandSupport.DONE;
        }
        out.println("twice as bad as in the guard: " + String.join(", ", worse));
        out.println("    hint: run it alone, millrace bench engine --workload " + worse.get(0) +
            "; if the result is the same, check recent changes of the engine, and the generated class with --text");
        return CommandSupport.FAILED;
    }

    private int update(final Path file, final ResultFile run) throws IOException
    {
        if (file == null)
        {
            throw new ParameterException(spec.commandLine(), "--update needs --guard FILE, since the sources of this" +
                " command are not known");
        }
        if (run.hasShort())
        {
            throw new ParameterException(spec.commandLine(),
                "a short run cannot update a guard: " + result + "; run bench engine without --short");
        }
        final ReferenceRatioSet before = Files.isRegularFile(file) ? ReferenceRatioSet.read(file) :
            ReferenceRatioSet.empty();
        before.with(Machine.name(), run.ratios(), run.java(), LocalDate.now(ZoneOffset.UTC).toString()).write(file);
        spec.commandLine().getOut().println("wrote " + run.ratios().size() + " ratios, guard=" + file);
        return CommandSupport.DONE;
    }
}
