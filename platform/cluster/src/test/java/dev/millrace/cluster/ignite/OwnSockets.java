package dev.millrace.cluster.ignite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The TCP sockets of this process, as reported by Linux. */
final class OwnSockets
{
    private static final String LISTENING = "0A";
    private static final int LOCAL = 1;
    private static final int REMOTE = 2;
    private static final int STATE = 3;
    private static final int INODE = 9;

    /** A socket; addresses in the kernel's hexadecimal format. */
    record Socket(String local, String remote, boolean isListening)
    {
        /** 127.x.x.x, also as an IPv6-mapped address, or ::1. */
        boolean isLocalLoopback()
        {
            return isLoopback(local);
        }

        boolean isRemoteLoopback()
        {
            return isListening || isLoopback(remote);
        }

        private static boolean isLoopback(final String address)
        {
            final String host = address.substring(0, address.indexOf(':'));
            return host.length() == 8 ? host.endsWith("7F") :
                host.equals("00000000000000000000000001000000") ||
                host.startsWith("0000000000000000FFFF0000") && host.endsWith("7F");
        }
    }

    private OwnSockets()
    {
    }

    static List<Socket> all() throws IOException
    {
        final Set<String> inodes = inodes();
        final List<Socket> all = new ArrayList<>();
        for (final String table : List.of("tcp", "tcp6"))
        {
            final Path file = Path.of("/proc/self/net", table);
            if (!Files.isReadable(file))
            {
                continue;
            }
            for (final String line : Files.readAllLines(file))
            {
                final String[] fields = line.strip().split("\\s+");
                if (fields.length > INODE && inodes.contains(fields[INODE]))
                {
                    all.add(new Socket(fields[LOCAL], fields[REMOTE], fields[STATE].equals(LISTENING)));
                }
            }
        }
        return all;
    }

    private static Set<String> inodes() throws IOException
    {
        final Set<String> inodes = new HashSet<>();
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd")))
        {
            for (final Path descriptor : descriptors.toList())
            {
                final String target = target(descriptor);
                if (target.startsWith("socket:["))
                {
                    inodes.add(target.substring("socket:[".length(), target.length() - 1));
                }
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
