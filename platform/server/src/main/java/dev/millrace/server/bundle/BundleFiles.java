package dev.millrace.server.bundle;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** What can be said of the file of a bundle without looking into it. No state; safe for all threads. */
public final class BundleFiles
{
    private static final int BUFFER_BYTES = 64 << 10;

    private BundleFiles()
    {
    }

    /**
     * The digest of a file.
     *
     * @param file a bundle
     * @return SHA-256, in hexadecimal digits
     * @throws IOException when the file cannot be read
     */
    public static String digest(final Path file) throws IOException
    {
        final MessageDigest digest;
        try
        {
            digest = MessageDigest.getInstance("SHA-256");
        }
        catch (final NoSuchAlgorithmException e)
        {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
        final byte[] buffer = new byte[BUFFER_BYTES];
        try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest))
        {
            while (in.read(buffer) >= 0)
            {
                // Reading is all there is to do.
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }
}
