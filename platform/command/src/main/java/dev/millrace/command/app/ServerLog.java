package dev.millrace.command.app;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The log of a server: {@code server.log} and the older files {@code server.1.log} and so on. Reads existing lines,
 * then new ones, also across rotations. Not thread-safe.
 */
final class ServerLog implements AutoCloseable
{
    private static final int MAX_FILES = 100;
    private static final int BUFFER_BYTES = 64 << 10;

    private final Path folder;
    private final ByteArrayOutputStream unfinished = new ByteArrayOutputStream();
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private RandomAccessFile current;
    private Object key;

    ServerLog(final Path folder)
    {
        this.folder = folder;
    }

    private Path file()
    {
        return folder.resolve("server.log");
    }

    /** Reads all lines of the files older than the current one. */
    void readOlder(final Consumer<String> lines) throws IOException
    {
        final List<Path> older = new ArrayList<>();
        for (int i = 1; i <= MAX_FILES && Files.exists(folder.resolve("server." + i + ".log")); i++)
        {
            older.add(0, folder.resolve("server." + i + ".log"));
        }
        for (final Path file : older)
        {
            try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1))
            {
                for (String line = reader.readLine(); line != null; line = reader.readLine())
                {
                    lines.accept(new String(line.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8));
                }
            }
        }
    }

    /** Reads complete lines added since the last call; all lines at the first call. */
    void readNew(final Consumer<String> lines) throws IOException
    {
        if (current == null && !open())
        {
            return;
        }
        drain(lines);
        if (isRotated())
        {
            // Lines written between the last read and the rotation are still readable through the open handle.
            drain(lines);
            current.close();
            current = null;
            if (open())
            {
                drain(lines);
            }
        }
    }

    private boolean open() throws IOException
    {
        try
        {
            key = key();
            current = new RandomAccessFile(file().toFile(), "r");
            return true;
        }
        catch (final NoSuchFileException | java.io.FileNotFoundException notYet)
        {
            return false;
        }
    }

    private Object key() throws IOException
    {
        return Files.readAttributes(file(), BasicFileAttributes.class).fileKey();
    }

    private boolean isRotated() throws IOException
    {
        try
        {
            final Object now = key();
            return now == null ? Files.size(file()) < current.getFilePointer() : !now.equals(key) ||
                Files.size(file()) < current.getFilePointer();
        }
        catch (final NoSuchFileException gone)
        {
            return false;
        }
    }

    private void drain(final Consumer<String> lines) throws IOException
    {
        for (int count = current.read(buffer); count > 0; count = current.read(buffer))
        {
            for (int i = 0; i < count; i++)
            {
                if (buffer[i] == '\n')
                {
                    lines.accept(unfinished.toString(StandardCharsets.UTF_8));
                    unfinished.reset();
                }
                else if (buffer[i] != '\r')
                {
                    unfinished.write(buffer[i]);
                }
            }
        }
    }

    @Override
    public void close() throws IOException
    {
        if (current != null)
        {
            current.close();
        }
    }
}
