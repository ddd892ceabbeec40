package dev.millrace.command.migration;

import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.instance.Home;
import dev.millrace.network.definition.DeploymentException.Problem;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Option;

/** The option of commands that deploy a bundle compiled against the API of Oracle Event Processing. */
public final class OepOption
{
    @Option(names = "--oep", description = "The bundle was compiled for Oracle Event Processing: the class names of its"
        + " API are mapped in the classes and the manifest that are deployed. The file itself is not changed.")
    private boolean isOep;

    /** Deploys the mapped bundle. */
    @FunctionalInterface
    public interface Deployment
    {
        /**
         * Deploys a bundle.
         *
         * @return exit code
         * @throws IOException          when it cannot be read or sent
         * @throws InterruptedException when the command is interrupted
         */
        int run(Path bundle) throws IOException, InterruptedException;
    }

    /**
     * Runs a command with a bundle, which is mapped if the option is set.
     *
     * @param err receives what cannot be mapped; then nothing is deployed
     * @return exit code of the command
     * @throws IOException          when a file cannot be read or written
     * @throws InterruptedException when the command is interrupted
     */
    public int with(final Path bundle, final PrintWriter err, final Deployment deployment)
        throws IOException, InterruptedException
    {
        if (!isOep)
        {
            return deployment.run(bundle);
        }
        final Path directory = Files.createTempDirectory("migrated");
        // The server shows the name of the file.
        final Path mapped = directory.resolve(bundle.getFileName());
        try
        {
            final List<Problem> problems =
                new BundleMigration(bundle, Home.find().directory()).migrate(mapped).problems();
            if (!problems.isEmpty())
            {
                problems.stream().map(Problem::format).forEach(err::println);
                throw new CommandException(ExitCode.FAILED, "CMD-0287",
                    "the bundle cannot be mapped completely, nothing was deployed, problems=" + problems.size(),
                    "change the sources as described: millrace migrate --output NEW-DIRECTORY DIRECTORY maps the rest");
            }
            return deployment.run(mapped);
        }
        finally
        {
            Files.deleteIfExists(mapped);
            Files.delete(directory);
        }
    }
}
