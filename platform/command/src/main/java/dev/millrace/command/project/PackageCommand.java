package dev.millrace.command.project;

import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Packs an application without Java code into a bundle. */
@Command(
    name = "package", mixinStandardHelpOptions = true,
    description = {"Packs an application without Java code into a bundle, without a build tool.",
        "The bundle contains the files below src/main/resources of the project, and a manifest if they contain none."},
    footer = {"", "Examples:",
        "  millrace app package .",
        "  millrace app package --bundle-version 1.1.0 --output prices-1.1.0.jar prices"})
public final class PackageCommand implements Callable<Integer>
{
    private static final Pattern VERSION = Pattern.compile("\\d+(\\.\\d+(\\.\\d+(\\.[\\w-]+)?)?)?");

    @Spec
    private CommandSpec spec;

    @Option(names = "--name", paramLabel = "NAME",
        description = "Symbolic name of the bundle; default: the name of the directory.")
    private String name;

    @Option(names = "--bundle-version", paramLabel = "VERSION", defaultValue = "1.0.0",
        description = "Version of the bundle; default: ${DEFAULT-VALUE}.")
    private String version;

    @Option(names = "--output", paramLabel = "FILE", description = "Bundle; default: NAME.jar in the project.")
    private Path output;

    @Parameters(paramLabel = "DIR", description = "Directory of the project.")
    private Path project;

    @Override
    public Integer call() throws IOException
    {
        final Path directory = project.toAbsolutePath().normalize();
        if (!Files.isDirectory(directory))
        {
            throw new CommandException(ExitCode.USAGE, "CMD-0265", "no such directory, directory=" + directory,
                "specify the directory of a project");
        }
        if (!VERSION.matcher(version).matches())
        {
            throw new CommandException(ExitCode.USAGE, "CMD-0266", "not a version of a bundle, version=" + version,
                "use one to three numbers and an optional qualifier, such as 1.2.0.beta");
        }
        final ProjectName names =
            new ProjectName(name == null ? String.valueOf(directory.getFileName()) : name, "com.example");
        final Path bundle = output == null ? directory.resolve(names.name() + ".jar") : output.toAbsolutePath();
        final int files = new ApplicationPackager(directory, names.name(), version).write(bundle);
        spec.commandLine().getOut().println("created " + bundle + " with " + files + " files");
        spec.commandLine().getOut().flush();
        return ExitCode.DONE;
    }
}
