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

/** Ports on which a process listens, read from Linux files: TCP ports that accept connections, and UDP ports. */
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

    /** Returns addresses by port, in hexadecimal digits like the kernel. */
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

    /** Whether an address is 127.x.x.x, also in IPv6 notation, or ::1. */
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
            // It was closed in the meantime.
            return "";
        }
    }
}
