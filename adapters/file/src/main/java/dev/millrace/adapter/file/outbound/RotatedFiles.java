package dev.millrace.adapter.file.outbound;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/** Compresses and deletes the rotated files of a sink. Confined to the thread that commits. */
final class RotatedFiles
{
    private final SinkSettings settings;

    RotatedFiles(final SinkSettings settings)
    {
        this.settings = settings;
    }

    /**
     * Compresses the files that are not compressed, and deletes those that are not kept.
     *
     * @param last number of the newest rotated file
     * @throws IOException for the first file that fails; the others are done when it is called again
     */
    void tidy(final int last) throws IOException
    {
        final List<Integer> numbers = numbers(last);
        if (settings.keepFiles() > 0)
        {
            while (numbers.size() > settings.keepFiles())
            {
                final int oldest = numbers.remove(0);
                Files.deleteIfExists(settings.rotated(oldest));
                Files.deleteIfExists(settings.compressed(oldest));
            }
        }
        if (settings.compress())
        {
            for (final int number : numbers)
            {
                if (Files.exists(settings.rotated(number)))
                {
                    compress(settings.rotated(number), settings.compressed(number));
                }
            }
        }
    }

    private List<Integer> numbers(final int last) throws IOException
    {
        final String sample = settings.rotated(0).getFileName().toString();
        final String start = sample.substring(0, sample.indexOf("-000000") + 1);
        final List<Integer> numbers = new ArrayList<>();
        try (Stream<Path> files = Files.list(settings.file().getParent()))
        {
            files.map(each -> each.getFileName().toString()).filter(name -> name.startsWith(start))
                .map(name -> name.substring(start.length()).replaceFirst("\\D.*", ""))
                .filter(digits -> digits.matches("\\d{6,9}")).map(Integer::valueOf).filter(number -> number <= last)
                .filter(number -> Files.exists(settings.rotated(number)) || Files.exists(settings.compressed(number)))
                .distinct().sorted().forEach(numbers::add);
        }
        return numbers;
    }

    private static void compress(final Path from, final Path to) throws IOException
    {
        final Path part = to.resolveSibling(to.getFileName() + ".part");
        try (InputStream in = Files.newInputStream(from);
            OutputStream out = new GZIPOutputStream(Files.newOutputStream(part), 1 << 16))
        {
            in.transferTo(out);
        }
        try (FileChannel channel = FileChannel.open(part, StandardOpenOption.WRITE))
        {
            channel.force(true);
        }
        Files.move(part, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        PositionFile.syncDirectory(to);
        Files.delete(from);
    }
}
