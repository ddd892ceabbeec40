package dev.millrace.adapter.loadgen.security;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;

/** Reads secrets from files that only their owner may read. Stateless. */
public final class SecretFile
{
    private static final int MAX_BYTES = 4096;
    private static final Set<PosixFilePermission> OWNER = EnumSet.of(PosixFilePermission.OWNER_READ,
        PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE);

    private SecretFile()
    {
    }

    /**
     * Reads the single line of a file.
     *
     * @param file mode 0600 or stricter, if the file system supports modes
     * @return its content without surrounding blanks
     * @throws IOException with a readable reason when the file cannot be read, is empty, or other users may read it
     */
    public static String read(final Path file) throws IOException
    {
        if (!Files.isRegularFile(file))
        {
            throw new IOException("the file does not exist");
        }
        if (Files.getFileStore(file).supportsFileAttributeView("posix") &&
            !OWNER.containsAll(Files.getPosixFilePermissions(file)))
        {
            throw new IOException("users other than its owner may read or write it, run chmod 600");
        }
        if (Files.size(file) > MAX_BYTES)
        {
            throw new IOException("it has more than " + MAX_BYTES + " bytes");
        }
        final String text = Files.readString(file, StandardCharsets.UTF_8).strip();
        if (text.isEmpty() || text.indexOf('\n') >= 0)
        {
            throw new IOException("it must contain exactly one line");
        }
        return text;
    }
}
