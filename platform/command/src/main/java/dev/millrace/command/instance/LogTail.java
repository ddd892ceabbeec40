package dev.millrace.command.instance;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The end of a file that others write to, as far as it has grown since this was made. Safe for all threads. */
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

    /** The last lines; empty when there are none. */
    String lines(final int count)
    {
        try (RandomAccessFile opened = new RandomAccessFile(file.toFile(), "r"))
        {
            // A log that was turned over meanwhile is shorter than it was.
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
