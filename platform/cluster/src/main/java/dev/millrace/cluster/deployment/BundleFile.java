package dev.millrace.cluster.deployment;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A bundle on disk.
 *
 * @param file      its location
 * @param fileName  name used by the user
 * @param sha256    digest of its content, hexadecimal
 * @param sizeBytes size of the file
 */
record BundleFile(Path file, String fileName, String sha256, long sizeBytes)
{
    static BundleFile of(final Path file, final String fileName) throws IOException
    {
        final MessageDigest digest = digest();
        try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest))
        {
            final long size = in.transferTo(java.io.OutputStream.nullOutputStream());
            return new BundleFile(file, fileName, HexFormat.of().formatHex(digest.digest()), size);
        }
    }

    static MessageDigest digest()
    {
        try
        {
            return MessageDigest.getInstance("SHA-256");
        }
        catch (final NoSuchAlgorithmException e)
        {
            throw new IllegalStateException("every Java platform provides SHA-256", e);
        }
    }
}
