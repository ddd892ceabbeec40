package dev.millrace.command.instance;

import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;

/** The file with which members of a domain authenticate each other: a random secret, readable only by its owner. */
public final class ClusterSecret
{
    /** Path in the directory of a domain; copied with the domain. */
    static final String FILE = "config/cluster.secret";

    private static final int BYTES = 32;

    private ClusterSecret()
    {
    }

    /**
     * Creates the file.
     *
     * @param domain a domain without the file
     */
    public static void make(final Domain domain)
    {
        make(domain, random());
    }

    /** Returns a random secret for {@link #make(Domain, String)}. */
    public static String random()
    {
        final byte[] secret = new byte[BYTES];
        new SecureRandom().nextBytes(secret);
        return HexFormat.of().formatHex(secret);
    }

    /**
     * Creates the file for one of several members.
     *
     * @param domain a domain without the file
     * @param secret result of {@link #random()}, the same for all members
     */
    public static void make(final Domain domain, final String secret)
    {
        final Path file = domain.directory().resolve(FILE);
        try
        {
            // The mode is set when the file is created, so that other users can never read it.
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(file, secret + '\n');
        }
        catch (final IOException e)
        {
            throw new CommandException(ExitCode.FAILED, "CMD-0117", "cannot write, path=" + file + " reason=" + e,
                "remove the directory, then try again; it must have free space and be owned by the user of this"
                    + " command");
        }
    }
}
