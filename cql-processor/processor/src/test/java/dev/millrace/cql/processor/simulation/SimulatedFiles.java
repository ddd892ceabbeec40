package dev.millrace.cql.processor.simulation;

import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.FileTime;
import java.nio.file.spi.FileSystemProvider;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;

/** The files of a {@link SimulatedDisk} as one process opens them; each directory exists. Confined to one thread. */
final class SimulatedFiles extends FileSystemProvider
{
    private final SimulatedDisk disk;
    private final int process;
    private final SimulatedFileSystem system = new SimulatedFileSystem(this);

    SimulatedFiles(final SimulatedDisk disk)
    {
        this.disk = disk;
        process = disk.host().process();
    }

    Path path(final String name)
    {
        return new SimulatedPath(system, name);
    }

    @Override
    public FileChannel newFileChannel(final Path path, final Set<? extends OpenOption> options,
        final FileAttribute<?>... attributes) throws IOException
    {
        SimulatedDisk.File file = disk.find(path.toString());
        if (file == null && options.contains(StandardOpenOption.CREATE))
        {
            file = disk.create(process, path.toString());
        }
        else if (file == null && !disk.files(path + "/").isEmpty())
        {
            return new SimulatedChannel(disk, process, null);
        }
        else if (file == null)
        {
            throw new NoSuchFileException(path.toString());
        }
        if (options.contains(StandardOpenOption.TRUNCATE_EXISTING))
        {
            disk.truncate(process, file);
        }
        return new SimulatedChannel(disk, process, file);
    }

    @Override
    public DirectoryStream<Path> newDirectoryStream(final Path directory,
        final DirectoryStream.Filter<? super Path> filter)
    {
        final Iterator<Path> paths = disk.files(directory + "/").keySet().stream().map(this::path).iterator();
        return new DirectoryStream<>()
        {
            @Override
            public Iterator<Path> iterator()
            {
                return paths;
            }

            @Override
            public void close()
            {
                // Nothing is open.
            }
        };
    }

    @Override
    public void delete(final Path path)
    {
        disk.delete(process, path.toString());
    }

    @Override
    public void move(final Path from, final Path to, final CopyOption... options)
    {
        disk.move(process, from.toString(), to.toString());
    }

    @Override
    public <A extends BasicFileAttributes> A readAttributes(final Path path, final Class<A> type,
        final LinkOption... options)
    {
        return type.cast(new Attributes(disk.find(path.toString())));
    }

    /** Of a file, or of a directory if there is no file. */
    private record Attributes(SimulatedDisk.File file) implements BasicFileAttributes
    {
        @Override
        public FileTime lastModifiedTime()
        {
            return FileTime.fromMillis(0);
        }

        @Override
        public FileTime lastAccessTime()
        {
            return FileTime.fromMillis(0);
        }

        @Override
        public FileTime creationTime()
        {
            return FileTime.fromMillis(0);
        }

        @Override
        public boolean isRegularFile()
        {
            return file != null;
        }

        @Override
        public boolean isDirectory()
        {
            return file == null;
        }

        @Override
        public boolean isSymbolicLink()
        {
            return false;
        }

        @Override
        public boolean isOther()
        {
            return false;
        }

        @Override
        public long size()
        {
            return file == null ? 0 : file.bytes().length;
        }

        @Override
        public Object fileKey()
        {
            return null;
        }
    }

    static UnsupportedOperationException unsupported()
    {
        return new UnsupportedOperationException("the simulated disk does not support this: add it");
    }

    @Override
    public String getScheme()
    {
        return "simulated";
    }

    @Override
    public FileSystem newFileSystem(final URI uri, final Map<String, ?> settings)
    {
        throw unsupported();
    }

    @Override
    public FileSystem getFileSystem(final URI uri)
    {
        throw unsupported();
    }

    @Override
    public Path getPath(final URI uri)
    {
        throw unsupported();
    }

    @Override
    public SeekableByteChannel newByteChannel(final Path path, final Set<? extends OpenOption> options,
        final FileAttribute<?>... attributes) throws IOException
    {
        return newFileChannel(path, options, attributes);
    }

    @Override
    public void createDirectory(final Path directory, final FileAttribute<?>... attributes)
    {
        throw unsupported();
    }

    @Override
    public void copy(final Path from, final Path to, final CopyOption... options)
    {
        throw unsupported();
    }

    @Override
    public boolean isSameFile(final Path one, final Path other)
    {
        return one.equals(other);
    }

    @Override
    public boolean isHidden(final Path path)
    {
        return false;
    }

    @Override
    public FileStore getFileStore(final Path path)
    {
        throw unsupported();
    }

    @Override
    public void checkAccess(final Path path, final AccessMode... modes) throws IOException
    {
        if (disk.find(path.toString()) == null && disk.files(path + "/").isEmpty())
        {
            throw new NoSuchFileException(path.toString());
        }
    }

    @Override
    public <V extends FileAttributeView> V getFileAttributeView(final Path path, final Class<V> type,
        final LinkOption... options)
    {
        throw unsupported();
    }

    @Override
    public Map<String, Object> readAttributes(final Path path, final String names, final LinkOption... options)
    {
        throw unsupported();
    }

    @Override
    public void setAttribute(final Path path, final String name, final Object value, final LinkOption... options)
    {
        throw unsupported();
    }
}
