package dev.millrace.command.cli;

import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.function.Consumer;

/** A file to which other processes append lines, and which they may rotate. It need not exist yet. Not thread-safe. */
public final class FollowedFile implements AutoCloseable
{
    private static final int BUFFER_BYTES = 64 << 10;

    private final Path file;
    private final ByteArrayOutputStream unfinished = new ByteArrayOutputStream();
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private RandomAccessFile current;
    private Object key;

    public FollowedFile(final Path file)
    {
        this.file = file;
    }

    /**
     * Reads complete lines that were added since the last call; all lines at the first call.
     *
     * @param lines receives each line without its end
     * @throws IOException when the file cannot be read
     */
    public void readNew(final Consumer<String> lines) throws IOException
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
            current = new RandomAccessFile(file.toFile(), "r");
            return true;
        }
        catch (final NoSuchFileException | FileNotFoundException notYet)
        {
            return false;
        }
    }

    private Object key() throws IOException
    {
        return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    }

    private boolean isRotated() throws IOException
    {
        try
        {
            final Object now = key();
            return now == null ? Files.size(file) < current.getFilePointer() : !now.equals(key) ||
                Files.size(file) < current.getFilePointer();
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
