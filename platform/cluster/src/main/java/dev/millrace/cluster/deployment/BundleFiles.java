package dev.millrace.cluster.deployment;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.server.files.DomainFiles;
import dev.millrace.server.spi.LocalDeployments;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Bundles as files, as long as something is done with them. Safe for all threads. */
final class BundleFiles
{
    private static final String INCOMING = "incoming-";

    private final DomainFiles files;
    private final Path directory;
    private final LocalDeployments deployments;
    private final Chunks chunks;

    BundleFiles(final DomainFiles files, final Path directory, final LocalDeployments deployments, final Chunks chunks)
    {
        this.files = files;
        this.directory = directory;
        this.deployments = deployments;
        this.chunks = chunks;
    }

    /**
     * What is done with a bundle.
     *
     * @param <B> how it is given
     * @param <R> what comes of it
     */
    @FunctionalInterface
    interface Work<B, R>
    {
        R run(B bundle) throws IOException, DeploymentException, InterruptedException;
    }

    /** Removes what a crash has left. */
    void removeLeft() throws IOException
    {
        if (Files.isDirectory(directory))
        {
            try (DirectoryStream<Path> left = Files.newDirectoryStream(directory, INCOMING + "*.jar"))
            {
                for (final Path each : left)
                {
                    Files.delete(each);
                }
            }
        }
    }

    /** Keeps what comes as long as the work takes. */
    <R> R received(final InputStream content, final String fileName, final Work<Bundle, R> work)
        throws IOException, DeploymentException, InterruptedException
    {
        final Path file = files.receive(directory, INCOMING, content);
        try
        {
            return work.run(Bundle.of(file, fileName));
        }
        finally
        {
            Files.deleteIfExists(file);
        }
    }

    /** Gives the bundle of a document: that of this instance when it has it, else a copy of what members share. */
    <R> R with(final Document document, final Work<Path, R> work)
        throws IOException, DeploymentException, InterruptedException
    {
        final Content content = document.content();
        final Optional<Path> here =
            deployments.find(document.name()).map(LocalDeployments.LocalApplication::jar).filter(Files::isRegularFile);
        if (here.isPresent() && Bundle.of(here.get(), content.fileName()).sha256().equals(content.sha256()))
        {
            return work.run(here.get());
        }
        try (InputStream shared = chunks.open(content))
        {
            return received(shared, content.fileName(), bundle -> work.run(bundle.file()));
        }
        catch (final ChunkInput.MissingException e)
        {
            throw new DeploymentException(Result.problem(document, Result.MISSING, e.getMessage(),
                "ask a member of the group, or install the bundle again"), e);
        }
    }
}
