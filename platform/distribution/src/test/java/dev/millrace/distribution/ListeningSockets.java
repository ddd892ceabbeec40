package dev.millrace.distribution;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Where a process listens, as Linux tells: TCP ports that take connections, and UDP ports that take datagrams. */
final class ListeningSockets
{
    private static final String LISTENING = "0A";
    private static final int LOCAL = 1;
    private static final int REMOTE = 2;
    private static final int STATE = 3;
    private static final int INODE = 9;
    private static final int HEX = 16;

    private ListeningSockets()
    {
    }

    /** Addresses by port, in hexadecimal digits as the kernel writes them. */
    static Map<Integer, String> of(final long pid) throws IOException
    {
        final Set<String> inodes = inodes(pid);
        final Map<Integer, String> found = new TreeMap<>();
        for (final String table : List.of("tcp", "tcp6", "udp", "udp6"))
        {
            for (final String line : Files.readAllLines(Path.of("/proc/" + pid + "/net/" + table)))
            {
                final String[] fields = line.strip().split("\\s+");
                if (fields.length > INODE && inodes.contains(fields[INODE]) && listens(table, fields))
                {
                    final String[] local = fields[LOCAL].split(":");
                    found.put(Integer.parseInt(local[1], HEX), local[0]);
                }
            }
        }
        return found;
    }

    private static boolean listens(final String table, final String[] fields)
    {
        return table.startsWith("tcp") ? fields[STATE].equals(LISTENING) : fields[REMOTE].endsWith(":0000");
    }

    /** 127.x.x.x, also when written as an address of version 6, or ::1. */
    static boolean isLoopback(final String address)
    {
        return address.length() == 8 ? address.endsWith("7F") :
            address.equals("00000000000000000000000001000000") ||
            address.startsWith("0000000000000000FFFF0000") && address.endsWith("7F");
    }

    private static Set<String> inodes(final long pid) throws IOException
    {
        final Set<String> inodes = new HashSet<>();
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/" + pid + "/fd")))
        {
            for (final Path descriptor : descriptors.toList())
            {
                inodes.add(target(descriptor).replaceAll("socket:\\[(\\d+)]", "$1"));
            }
        }
        return inodes;
    }

    private static String target(final Path descriptor) throws IOException
    {
        try
        {
            return Files.readSymbolicLink(descriptor).toString();
        }
        catch (final NoSuchFileException e)
        {
            // It was closed meanwhile.
            return "";
        }
    }
}
