package dev.millrace.command.instance;

import dev.millrace.command.CommandException;
import dev.millrace.command.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;

/** The file by which members of a domain know each other: random, and for its owner only. */
public final class ClusterSecret
{
    /** In the directory of a domain; copies of the domain take it along. */
    static final String FILE = "config/cluster.secret";

    private static final int BYTES = 32;

    private ClusterSecret()
    {
    }

    /**
     * Makes the file.
     *
     * @param domain that has none
     */
    public static void make(final Domain domain)
    {
        make(domain, random());
    }

    /**
     * Draws a secret.
     *
     * @return as {@link #make(Domain, String)} takes it
     */
    public static String random()
    {
        final byte[] secret = new byte[BYTES];
        new SecureRandom().nextBytes(secret);
        return HexFormat.of().formatHex(secret);
    }

    /**
     * Makes the file, for one of several members.
     *
     * @param domain that has none
     * @param secret of {@link #random()}, the same for each member
     */
    public static void make(final Domain domain, final String secret)
    {
        final Path file = domain.directory().resolve(FILE);
        try
        {
            // The mode is set when the file is made, so there is no moment in which others can read it.
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(file, secret + '\n');
        }
        catch (final IOException e)
        {
            throw new CommandException(ExitCode.FAILED, "CMD-0117", "cannot write, path=" + file + " reason=" + e,
                "remove the directory, then try again; it needs free space and to belong to the user of this command");
        }
    }
}
