package dev.millrace.adapter.loadgen.security;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;

/** The secret that senders present to a data port. Immutable, thread-safe. */
public final class AccessToken
{
    /** Minimum length of a token: shorter ones could be guessed. */
    public static final int MIN_BYTES = 16;

    /** Maximum length of a token. */
    public static final int MAX_BYTES = 512;

    private final byte[] secret;

    private AccessToken(final byte[] secret)
    {
        this.secret = secret;
    }

    /**
     * Reads a token from a file that only its owner may read.
     *
     * @param file one line of {@value #MIN_BYTES} to {@value #MAX_BYTES} printable ASCII characters without blanks
     * @return the token
     * @throws IOException with a readable reason
     */
    public static AccessToken read(final Path file) throws IOException
    {
        return of(SecretFile.read(file));
    }

    /**
     * Validates a token.
     *
     * @param text {@value #MIN_BYTES} to {@value #MAX_BYTES} printable ASCII characters without blanks
     * @return the token
     * @throws IOException with a readable reason
     */
    public static AccessToken of(final String text) throws IOException
    {
        if (!text.chars().allMatch(character -> character > ' ' && character < 0x7F))
        {
            throw new IOException("a token consists of printable ASCII characters without blanks");
        }
        if (text.length() < MIN_BYTES || text.length() > MAX_BYTES)
        {
            throw new IOException("a token has " + MIN_BYTES + " to " + MAX_BYTES + " characters, this one has " +
                text.length());
        }
        return new AccessToken(text.getBytes(StandardCharsets.US_ASCII));
    }

    /**
     * Compares in constant time, so that the duration does not reveal how many characters were correct.
     *
     * @param bytes contains the presented token
     * @param from  its first byte
     * @param to    end (exclusive)
     * @return whether it equals this token
     */
    public boolean matches(final byte[] bytes, final int from, final int to)
    {
        return MessageDigest.isEqual(secret, Arrays.copyOfRange(bytes, from, to));
    }

    /**
     * The token as sent.
     *
     * @return a copy
     */
    public byte[] bytes()
    {
        return secret.clone();
    }

    @Override
    public String toString()
    {
        return "AccessToken";
    }
}
