package dev.millrace.server.bundle;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Properties of a bundle's file that do not depend on its content. Stateless and thread-safe. */
public final class BundleFiles
{
    private static final int BUFFER_BYTES = 64 << 10;

    private BundleFiles()
    {
    }

    /** Returns the SHA-256 digest of a file in hexadecimal digits. */
    public static String digest(final Path file) throws IOException
    {
        final MessageDigest digest;
        try
        {
            digest = MessageDigest.getInstance("SHA-256");
        }
        catch (final NoSuchAlgorithmException e)
        {
            throw new IllegalStateException("SHA-256 is missing, but every Java runtime must have it", e);
        }
        final byte[] buffer = new byte[BUFFER_BYTES];
        try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest))
        {
            while (in.read(buffer) >= 0)
            {
                // Reading updates the digest.
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }
}
