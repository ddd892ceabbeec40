package dev.millrace.command.project;

import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Creates the project of a new application. */
@Command(
    name = "new", mixinStandardHelpOptions = true,
    description = {"Creates the project of a new application in a new directory.",
        "Each template is an application that runs, with generated events:",
        "  hello    a pattern and a sink in Java",
        "  no-java  a pattern; needs no build tool",
        "  adapter  a source with its own thread and a sink, both in Java",
        "  pattern  patterns with time limits, tested at virtual time",
        "  cache    a stream joined with a cache that a loader fills",
        "All but no-java have tests of the whole application, and are built by Maven.",
        "With --adapters, events come from the named adapters, and results also go to them."},
    footer = {"", "Examples:",
        "  millrace app new hello",
        "  millrace app new --package com.acme.prices prices",
        "  millrace app new --template no-java prices",
        "  millrace app new --adapters kafka,csv prices",
        "  millrace app new --template cache --package com.acme.orders orders"})
public final class NewCommand implements Callable<Integer>
{
    @Spec
    private CommandSpec spec;

    @Option(names = "--template", paramLabel = "TEMPLATE", defaultValue = "hello",
        description = "${COMPLETION-CANDIDATES}; default: ${DEFAULT-VALUE}.")
    private ProjectTemplate template;

    @Option(names = "--adapters", paramLabel = "ADAPTER", split = ",",
        description = "${COMPLETION-CANDIDATES}, several separated by commas; default: none.")
    private Set<ProjectAdapter> adapters = new LinkedHashSet<>();

    @Option(names = "--package", paramLabel = "PACKAGE",
        description = "Package of the classes and Maven group; default: com.example and the name.")
    private String javaPackage;

    @Option(names = "--directory", paramLabel = "DIR", description = "Directory; default: the name.")
    private Path directory;

    @Parameters(paramLabel = "NAME", description = "Name of the application, the symbolic name of its bundle.")
    private String name;

    @Override
    public Integer call() throws IOException
    {
        final ProjectName names = ProjectName.of(name, javaPackage);
        final Path target = directory == null ? Path.of(name) : directory;
        checkIsNew(target);
        final PrintWriter out = spec.commandLine().getOut();
        for (final String file : template.write(target, names, adapters))
        {
            out.println("created " + target.resolve(file));
        }
        out.println("next: " + target.resolve("README.md") + " shows how to build and deploy it");
        out.flush();
        return ExitCode.DONE;
    }

    private static void checkIsNew(final Path directory) throws IOException
    {
        if (Files.isDirectory(directory))
        {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(directory))
            {
                if (!files.iterator().hasNext())
                {
                    return;
                }
            }
        }
        if (Files.exists(directory))
        {
            throw new CommandException(ExitCode.USAGE, "CMD-0262",
                "exists and is not an empty directory, directory=" + directory.toAbsolutePath(),
                "select another with --directory DIR");
        }
    }
}
