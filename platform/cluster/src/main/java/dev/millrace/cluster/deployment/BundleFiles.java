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

/** Stores bundles as files while they are in use. Thread-safe. */
final class BundleFiles
{
    private static final String INCOMING = "incoming-";

    private final DomainFiles files;
    private final Path directory;
    private final LocalDeployments deployments;
    private final BundleChunks chunks;

    BundleFiles(final DomainFiles files, final Path directory, final LocalDeployments deployments,
        final BundleChunks chunks)
    {
        this.files = files;
        this.directory = directory;
        this.deployments = deployments;
        this.chunks = chunks;
    }

    /**
     * An operation on a bundle.
     *
     * @param <B> representation of the bundle
     * @param <R> result
     */
    @FunctionalInterface
    interface Work<B, R>
    {
        R run(B bundle) throws IOException, DeploymentException, InterruptedException;
    }

    /** Deletes files left by a crash. */
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

    /** Stores an incoming bundle in a file for the duration of the operation. */
    <R> R received(final InputStream content, final String fileName, final Work<BundleFile, R> work)
        throws IOException, DeploymentException, InterruptedException
    {
        final Path file = files.receive(directory, INCOMING, content);
        try
        {
            return work.run(BundleFile.of(file, fileName));
        }
        finally
        {
            Files.deleteIfExists(file);
        }
    }

    /**
     * Passes the bundle of a document to an operation: the one deployed on this instance, or a copy of the shared
     * chunks.
     */
    <R> R with(final DesiredDeployment document, final Work<Path, R> work)
        throws IOException, DeploymentException, InterruptedException
    {
        final DeploymentContent content = document.content();
        final Optional<Path> here =
            deployments.find(document.name()).map(LocalDeployments.LocalApplication::jar).filter(Files::isRegularFile);
        if (here.isPresent() && BundleFile.of(here.get(), content.fileName()).sha256().equals(content.sha256()))
        {
            return work.run(here.get());
        }
        try (InputStream shared = chunks.open(content))
        {
            return received(shared, content.fileName(), bundle -> work.run(bundle.file()));
        }
        catch (final ChunkInput.MissingException e)
        {
            throw new DeploymentException(MemberStatus.problem(document, MemberStatus.MISSING, e.getMessage(),
                "ask a member of the group, or install the bundle again"), e);
        }
    }
}
