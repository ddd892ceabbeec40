package dev.millrace.cql.processor.simulation;

import java.net.URI;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;

/** A path of names without {@code .} and {@code ..}. Immutable. */
record SimulatedPath(SimulatedFileSystem system, String name) implements Path
{
    @Override
    public SimulatedFileSystem getFileSystem()
    {
        return system;
    }

    @Override
    public boolean isAbsolute()
    {
        return true;
    }

    @Override
    public Path getRoot()
    {
        return null;
    }

    @Override
    public Path getFileName()
    {
        return new SimulatedPath(system, name.substring(name.lastIndexOf('/') + 1));
    }

    @Override
    public Path getParent()
    {
        final int end = name.lastIndexOf('/');
        return end < 0 ? null : new SimulatedPath(system, name.substring(0, end));
    }

    @Override
    public int getNameCount()
    {
        return (int)name.chars().filter(each -> each == '/').count() + 1;
    }

    @Override
    public Path getName(final int index)
    {
        return new SimulatedPath(system, name.split("/")[index]);
    }

    @Override
    public Path subpath(final int from, final int to)
    {
        throw SimulatedFiles.unsupported();
    }

    @Override
    public boolean startsWith(final Path other)
    {
        return (name + '/').startsWith(other + "/");
    }

    @Override
    public boolean endsWith(final Path other)
    {
        return ('/' + name).endsWith("/" + other);
    }

    @Override
    public Path normalize()
    {
        return this;
    }

    @Override
    public Path resolve(final Path other)
    {
        return new SimulatedPath(system, name + '/' + other);
    }

    @Override
    public Path relativize(final Path other)
    {
        throw SimulatedFiles.unsupported();
    }

    @Override
    public URI toUri()
    {
        return URI.create("simulated:/" + name);
    }

    @Override
    public Path toAbsolutePath()
    {
        return this;
    }

    @Override
    public Path toRealPath(final LinkOption... options)
    {
        return this;
    }

    @Override
    public WatchKey register(final WatchService watcher, final WatchEvent.Kind<?>[] events,
        final WatchEvent.Modifier... modifiers)
    {
        throw SimulatedFiles.unsupported();
    }

    @Override
    public int compareTo(final Path other)
    {
        return name.compareTo(other.toString());
    }

    @Override
    public String toString()
    {
        return name;
    }
}
