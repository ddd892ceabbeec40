package dev.millrace.command.project;

import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.instance.Home;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Puts the API into the local repository of Maven. */
@Command(
    name = "install-api", mixinStandardHelpOptions = true,
    description = {"Puts the API of applications into the local repository of Maven, from the home directory and" +
        " without network: classes, sources and Javadoc.",
        "Applications then depend on dev.millrace:millrace-api, or import dev.millrace:millrace-bom."},
    footer = {"", "Examples:",
        "  millrace install-api",
        "  millrace install-api --repository build/repository"})
public final class InstallApiCommand implements Callable<Integer>
{
    @Spec
    private CommandSpec spec;

    @Option(names = "--repository", paramLabel = "DIR",
        description = "Local repository; default: that of ~/.m2/settings.xml, or ~/.m2/repository.")
    private Path repository;

    @Override
    public Integer call() throws IOException
    {
        final Path artifacts = Home.find().directory().resolve("maven");
        if (!Files.isDirectory(artifacts))
        {
            throw new CommandException(ExitCode.FAILED, "CMD-0267",
                "the home directory contains no artifacts of the API, directory=" + artifacts,
                "install the product again; its directory maven is a Maven repository");
        }
        final LocalRepository local = repository == null ? LocalRepository.ofUser() : new LocalRepository(repository);
        final List<String> files = local.add(artifacts);
        files.stream().filter(file -> file.endsWith(".pom")).forEach(file -> out("installed " + coordinates(file)));
        out(files.size() + " files are in " + local.directory().toAbsolutePath().normalize());
        return ExitCode.DONE;
    }

    /** Returns {@code group:artifact:version} of a path in a repository. */
    private static String coordinates(final String pom)
    {
        final Path version = Path.of(pom).getParent();
        final Path artifact = version.getParent();
        return artifact.getParent().toString().replace('\\', '.').replace('/', '.') + ":" + artifact.getFileName() +
            ":" + version.getFileName();
    }

    private void out(final String line)
    {
        spec.commandLine().getOut().println(line);
        spec.commandLine().getOut().flush();
    }
}
