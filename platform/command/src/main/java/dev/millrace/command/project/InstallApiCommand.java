package dev.millrace.command.project;

import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.instance.Home;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Puts the API and the test library into the local repository of Maven. */
@Command(
    name = "install-api", mixinStandardHelpOptions = true,
    description = {"Puts the API of applications, with sources and Javadoc, the library of their tests," +
        " millrace-test, and the client of the socket adapter, millrace-client, into the local repository of Maven," +
        " from the home directory and without network.",
        "Applications then depend on dev.millrace:millrace-api, or import dev.millrace:millrace-bom."},
    footer = {"", "Examples:",
        "  millrace install-api",
        "  millrace install-api --repository build/repository"})
public final class InstallApiCommand implements Callable<Integer>
{
    /** Directory of the product's artifacts in a repository. */
    private static final String OWN = "dev/millrace/";

    @Spec
    private CommandSpec spec;

    @Option(names = "--repository", paramLabel = "DIR",
        description = "Local repository; default: that of ~/.m2/settings.xml, or ~/.m2/repository.")
    private Path repository;

    @Override
    public Integer call() throws IOException
    {
        final Map<String, Path> files = new HomeArtifacts(Home.find().directory()).files();
        final LocalRepository local = repository == null ? LocalRepository.ofUser() : new LocalRepository(repository);
        int libraries = 0;
        for (final Map.Entry<String, Path> file : files.entrySet())
        {
            final boolean isOwn = file.getKey().startsWith(OWN);
            // Maven may have downloaded the same library before.
            if (isOwn || !local.contains(file.getKey()))
            {
                local.add(file.getKey(), file.getValue());
            }
            if (file.getKey().endsWith(".pom") && isOwn)
            {
                out("installed " + coordinates(file.getKey()));
            }
            libraries += file.getKey().endsWith(".jar") && !isOwn ? 1 : 0;
        }
        out("installed " + libraries + " libraries of millrace-test");
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
