package dev.millrace.command.migration;

import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.cli.ExternalTool;
import dev.millrace.command.instance.Home;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.spi.ApplicationValidator;
import dev.millrace.network.spi.ApplicationValidator.Validation;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Reports what an application of Oracle Event Processing needs, and maps it to the API of Millrace. */
@Command(
    name = "migrate", mixinStandardHelpOptions = true,
    description = {"Reports what an application of Oracle Event Processing needs to run, and maps it to Millrace.",
        "In a directory, Java sources, assembly files and manifests are mapped; in a bundle, compiled classes. A mapped"
            + " bundle is also validated like millrace app validate. The application itself is never changed.",
        "Returns 1 when something is left to do."},
    footer = {"", "Examples:",
        "  millrace migrate old-application.jar",
        "  millrace migrate --output new-application.jar old-application.jar",
        "  millrace migrate --output new-application old-application",
        "  millrace app install --oep old-application.jar"})
public final class MigrateCommand implements Callable<Integer>
{
    private static final String VALIDATOR = "millrace.validate";

    @Spec
    private CommandSpec spec;

    @Option(names = "--output", paramLabel = "PATH",
        description = "New bundle, or new directory; it must not exist. Without it, only the report is printed.")
    private Path output;

    @Parameters(paramLabel = "PATH", description = "Bundle, or directory with sources of an application.")
    private Path application;

    @Override
    public Integer call() throws IOException
    {
        check();
        final boolean isDirectory = Files.isDirectory(application);
        final MigrationReport report = isDirectory ? new DirectoryMigration(application).migrate(output) : bundle();
        final List<Problem> problems = new ArrayList<>(report.problems());
        print(report);
        if (!isDirectory && problems.isEmpty())
        {
            problems.addAll(validate());
        }
        final PrintWriter err = spec.commandLine().getErr();
        problems.stream().map(Problem::format).forEach(err::println);
        err.println(problems.isEmpty() ? isDirectory ?
            "nothing is left to do; build it against millrace-api, then run millrace app validate" :
            "nothing is left to do" : "left to do: " + problems.size());
        err.flush();
        return problems.isEmpty() ? ExitCode.DONE : ExitCode.FAILED;
    }

    private void check()
    {
        if (!Files.exists(application))
        {
            throw new CommandException(ExitCode.USAGE, "CMD-0268",
                "no such file or directory, path=" + application.toAbsolutePath(),
                "specify a bundle, or the directory of a project");
        }
        if (output != null && (Files.exists(output) ||
            output.toAbsolutePath().normalize().startsWith(application.toAbsolutePath().normalize())))
        {
            throw new CommandException(ExitCode.USAGE, "CMD-0288",
                "the output exists or is in the application, --output=" + output, "specify a new path outside of it");
        }
    }

    private MigrationReport bundle()
    {
        return new BundleMigration(application, Home.find().directory()).migrate(output);
    }

    private void print(final MigrationReport report)
    {
        final PrintWriter out = spec.commandLine().getOut();
        report.mapped().forEach((names, files) -> out.println("mapped: " + names + ", files " + files));
        report.removedImports().forEach(name -> out.println("unused import removed from the manifest: " + name));
        if (report.mapped().isEmpty())
        {
            out.println("no file uses a class of the old API that has a counterpart");
        }
        out.flush();
    }

    /** Validates the mapped bundle. */
    private List<Problem> validate() throws IOException
    {
        final Path directory = Files.createTempDirectory("migrated");
        final Path mapped = directory.resolve(application.getFileName());
        try
        {
            new BundleMigration(application, Home.find().directory()).migrate(mapped);
            final Validation valid =
                ExternalTool.create(VALIDATOR, ApplicationValidator.class).validate(mapped);
            final PrintWriter out = spec.commandLine().getOut();
            valid.warnings().stream().map(Problem::format).forEach(text -> out.println("warning: " + text));
            out.println(valid.name() + " is valid: adapters and beans " + valid.beans() + ", channels " +
                valid.channels() + ", processors " + valid.processors() + ", rules " + valid.rules());
            out.flush();
            return List.of();
        }
        catch (final DeploymentException e)
        {
            return e.problems();
        }
        finally
        {
            Files.deleteIfExists(mapped);
            Files.delete(directory);
        }
    }
}
