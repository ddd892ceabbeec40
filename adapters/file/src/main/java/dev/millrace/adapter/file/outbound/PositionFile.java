package dev.millrace.adapter.file.outbound;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32;

/**
 * Up to where a file contains rows whose numbers are stored: the number of the file among the rotated ones, its length,
 * and for each producer the number of its last row in the file or in an earlier one. Immutable.
 *
 * <p>It is replaced as a whole: after a kill or a crash, the file contains one state or the next one.
 *
 * @param number    of the file
 * @param length    bytes of the file
 * @param producers numbers by name of the producer
 */
record PositionFile(int number, long length, Map<String, Long> producers)
{
    private static final String FIRST = "millrace positions 1";

    PositionFile
    {
        producers = Map.copyOf(producers);
    }

    /**
     * Reads a state.
     *
     * @return {@code null} if none was written
     * @throws IOException if it cannot be read or was changed
     */
    static PositionFile read(final Path path) throws IOException
    {
        if (!Files.exists(path))
        {
            return null;
        }
        final List<String> lines = Files.readAllLines(path);
        final int last = lines.size() - 1;
        if (last < 3 || !lines.get(0).equals(FIRST) || !lines.get(last).equals(sum(lines.subList(0, last))))
        {
            throw new IOException("not a file of positions, or not as it was written");
        }
        final Map<String, Long> producers = new TreeMap<>();
        for (final String line : lines.subList(3, last))
        {
            final int space = line.indexOf(' ');
            producers.put(line.substring(space + 1), Long.parseLong(line.substring(0, space)));
        }
        return new PositionFile(Integer.parseInt(lines.get(1)), Long.parseLong(lines.get(2)), producers);
    }

    private static String sum(final List<String> lines)
    {
        final CRC32 crc = new CRC32();
        crc.update((String.join("\n", lines) + '\n').getBytes(StandardCharsets.UTF_8));
        return "crc " + Long.toHexString(crc.getValue());
    }

    /** Replaces the state in a file, and waits until the disk contains it. */
    void write(final Path path) throws IOException
    {
        final List<String> lines = new ArrayList<>(List.of(FIRST, String.valueOf(number),
            String.valueOf(length)));
        new TreeMap<>(producers).forEach((producer, last) -> lines.add(last + " " + producer));
        lines.add(sum(lines));
        final Path next = path.resolveSibling(path.getFileName() + ".new");
        try (FileChannel channel = FileChannel.open(next, StandardOpenOption.CREATE, StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING))
        {
            final ByteBuffer bytes =
                ByteBuffer.wrap((String.join("\n", lines) + '\n').getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining())
            {
                channel.write(bytes);
            }
            channel.force(true);
        }
        Files.move(next, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        syncDirectory(path);
    }

    /** Waits until the disk contains the names of the files of a directory. */
    static void syncDirectory(final Path file) throws IOException
    {
        try (FileChannel directory = FileChannel.open(file.toAbsolutePath().getParent(), StandardOpenOption.READ))
        {
            directory.force(true);
        }
    }
}
