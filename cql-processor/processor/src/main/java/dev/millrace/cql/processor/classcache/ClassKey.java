package dev.millrace.cql.processor.classcache;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * A digest of everything that determines class files: the source text, the name of its class, and the build that
 * compiles it.
 *
 * @param digest SHA-256; must not be modified
 */
record ClassKey(byte[] digest)
{
    static final int BYTES = 32;
    private static final int BYTES_OF_NAME = 16;
    private static final String SUFFIX = ".classes";

    static ClassKey of(final String build, final String className, final String javaText)
    {
        try
        {
            final MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (final String part : new String[] {build, className, javaText})
            {
                final byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
                // With its length, so that different triples have different representations.
                digest.update((bytes.length + ":").getBytes(StandardCharsets.US_ASCII));
                digest.update(bytes);
            }
            return new ClassKey(digest.digest());
        }
        catch (final NoSuchAlgorithmException missing)
        {
            throw new IllegalStateException("SHA-256 is not available, please report this", missing);
        }
    }

    /** The name of the file. */
    String fileName()
    {
        return HexFormat.of().formatHex(digest, 0, BYTES_OF_NAME) + SUFFIX;
    }

    static boolean isFileName(final String name)
    {
        return name.endsWith(SUFFIX);
    }

    @Override
    public boolean equals(final Object other)
    {
        return other instanceof ClassKey key && Arrays.equals(digest, key.digest);
    }

    @Override
    public int hashCode()
    {
        return Arrays.hashCode(digest);
    }
}
