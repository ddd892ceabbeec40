package dev.millrace.command.instance;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The lines added to a file by other processes since this object was created. Thread-safe. */
final class LogTail
{
    private static final int MAX_BYTES = 64 << 10;

    private final Path file;

    private final long before;

    LogTail(final Path file) throws IOException
    {
        this.file = file;
        this.before = Files.exists(file) ? Files.size(file) : 0;
    }

    Path file()
    {
        return file;
    }

    /** Returns the last lines; may be empty. */
    String lines(final int count)
    {
        try (RandomAccessFile opened = new RandomAccessFile(file.toFile(), "r"))
        {
            // A log that was rotated in the meantime is shorter than before.
            final long from = opened.length() < before ? 0 : before;
            final byte[] bytes = new byte[(int)Math.min(MAX_BYTES, opened.length() - from)];
            opened.seek(opened.length() - bytes.length);
            opened.readFully(bytes);
            final List<String> lines = new String(bytes, StandardCharsets.UTF_8).lines().toList();
            return String.join("\n", lines.subList(Math.max(0, lines.size() - count), lines.size()));
        }
        catch (final IOException e)
        {
            return Files.exists(file) ? "(cannot be read: " + e + ")" : "";
        }
    }
}
