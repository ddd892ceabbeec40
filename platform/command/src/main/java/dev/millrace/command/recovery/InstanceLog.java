package dev.millrace.command.recovery;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Figures that an instance logs about its durable processors. Not thread-safe. */
final class InstanceLog
{
    private static final Pattern RESTORED = Pattern.compile("state restored, unit=\\S+ batches=(\\d+) ");

    private final Path file;
    private long read;
    private long replayed;

    /**
     * @param file the output of the instance, to which each of its processes appends
     */
    InstanceLog(final Path file)
    {
        this.file = file;
    }

    /** Reads the lines since the last call. */
    void read() throws IOException
    {
        if (!Files.exists(file))
        {
            return;
        }
        try (RandomAccessFile opened = new RandomAccessFile(file.toFile(), "r"))
        {
            final byte[] bytes = new byte[(int)(opened.length() - read)];
            opened.seek(read);
            opened.readFully(bytes);
            final String text = new String(bytes, StandardCharsets.ISO_8859_1);
            final int end = text.lastIndexOf('\n') + 1;
            read += end;
            add(text.substring(0, end));
        }
    }

    /** Adds complete lines. */
    void add(final String lines)
    {
        final Matcher restored = RESTORED.matcher(lines);
        while (restored.find())
        {
            replayed += Long.parseLong(restored.group(1));
        }
    }

    /** Returns the number of batches that all starts have replayed. */
    long replayedBatches()
    {
        return replayed;
    }
}
