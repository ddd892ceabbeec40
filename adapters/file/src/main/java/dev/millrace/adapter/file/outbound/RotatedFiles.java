package dev.millrace.adapter.file.outbound;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.NavigableSet;
import java.util.zip.GZIPOutputStream;

/** Gives the rotated files of a sink their last form, and deletes old ones. Not thread-safe. */
final class RotatedFiles
{
    private static final int BUFFER_BYTES = 1 << 16;

    private final FileNames names;
    private final int keepFiles;
    private final FileConversion conversion;

    /** @param conversion {@code null} if rotated files keep their form */
    RotatedFiles(final SinkSettings settings, final FileConversion conversion)
    {
        names = settings.names();
        keepFiles = settings.keepFiles();
        this.conversion = conversion;
    }

    /** Compresses a file with gzip. */
    static void gzip(final Path from, final Path to) throws IOException
    {
        try (InputStream in = Files.newInputStream(from);
            OutputStream out = new GZIPOutputStream(Files.newOutputStream(to), BUFFER_BYTES))
        {
            in.transferTo(out);
        }
        catch (final IOException e)
        {
            // Without the file, an incomplete part would be taken for a complete one.
            Files.deleteIfExists(to);
            throw e;
        }
    }

    /**
     * Converts the files that are not converted, and deletes those that are not kept.
     *
     * @param last number of the newest rotated file
     * @throws IOException for the first file that fails, after the others are done; also if a file exists already
     */
    void tidy(final int last) throws IOException
    {
        final NavigableSet<Integer> numbers = names.numbers().headSet(last, true);
        while (keepFiles > 0 && numbers.size() > keepFiles)
        {
            names.delete(numbers.first());
            numbers.pollFirst();
        }
        IOException failure = null;
        for (final int number : numbers)
        {
            try
            {
                finish(number);
            }
            catch (final IOException e)
            {
                failure = failure == null ? e : failure;
            }
        }
        if (failure != null)
        {
            throw failure;
        }
    }

    /**
     * Gives a file its last form, in which another program may take it away at once. The earlier form is deleted before
     * that, so that no kill makes the file appear twice: a part without an earlier form is complete.
     */
    private void finish(final int number) throws IOException
    {
        if (conversion == null)
        {
            return;
        }
        final Path from = names.rotated(number);
        final Path part = names.part(number);
        final Path to = names.finished(number);
        if (Files.exists(to) && (Files.exists(from) || Files.exists(part)))
        {
            throw new FileAlreadyExistsException(to.toString());
        }
        if (Files.exists(from))
        {
            conversion.convert(from, part);
            try (FileChannel channel = FileChannel.open(part, StandardOpenOption.WRITE))
            {
                channel.force(true);
            }
            PositionFile.syncDirectory(part);
            Files.delete(from);
            PositionFile.syncDirectory(part);
        }
        if (Files.exists(part))
        {
            Files.move(part, to, StandardCopyOption.ATOMIC_MOVE);
            PositionFile.syncDirectory(part);
        }
    }
}
