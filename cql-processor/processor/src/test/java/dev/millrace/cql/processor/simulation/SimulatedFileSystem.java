package dev.millrace.cql.processor.simulation;

import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchService;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.util.List;
import java.util.Set;

/** The file system of {@link SimulatedFiles}. Immutable. */
final class SimulatedFileSystem extends FileSystem
{
    private final SimulatedFiles files;

    SimulatedFileSystem(final SimulatedFiles files)
    {
        this.files = files;
    }

    @Override
    public SimulatedFiles provider()
    {
        return files;
    }

    @Override
    public void close()
    {
        // Nothing is open.
    }

    @Override
    public boolean isOpen()
    {
        return true;
    }

    @Override
    public boolean isReadOnly()
    {
        return false;
    }

    @Override
    public String getSeparator()
    {
        return "/";
    }

    @Override
    public Iterable<Path> getRootDirectories()
    {
        return List.of();
    }

    @Override
    public Iterable<FileStore> getFileStores()
    {
        return List.of();
    }

    @Override
    public Set<String> supportedFileAttributeViews()
    {
        return Set.of("basic");
    }

    @Override
    public Path getPath(final String first, final String... more)
    {
        return new SimulatedPath(this, more.length == 0 ? first : first + '/' + String.join("/", more));
    }

    @Override
    public PathMatcher getPathMatcher(final String syntaxAndPattern)
    {
        throw SimulatedFiles.unsupported();
    }

    @Override
    public UserPrincipalLookupService getUserPrincipalLookupService()
    {
        throw SimulatedFiles.unsupported();
    }

    @Override
    public WatchService newWatchService()
    {
        throw SimulatedFiles.unsupported();
    }
}
