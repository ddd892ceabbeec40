package dev.millrace.api.secret;

import dev.millrace.api.secret.SecretException.Reason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * The keys of a domain: AES-256-GCM, one key per line of a file that only its owner can read. The first key encrypts;
 * the others exist while {@code millrace secret rekey} is running. An encrypted string is {@code {AES}} and base64 of a
 * version, four bytes of the key's hash, twelve random bytes, and the ciphertext with its tag of sixteen bytes.
 * Immutable.
 */
public final class SecretKeys
{
    /** Prefix of an encrypted string. */
    public static final String PREFIX = "{AES}";

    /** The key file, relative to the domain directory. */
    public static final String FILE = "config/secret.key";

    private static final String LINE = "aes-256-gcm:";
    private static final String PRIVATE = "rw-------";
    private static final String CIPHER = "AES/GCM/NoPadding";
    private static final byte VERSION = 1;
    private static final int KEY_BYTES = 32;
    private static final int ID_BYTES = 4;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final int MIN_BYTES = 1 + ID_BYTES + NONCE_BYTES + TAG_BITS / 8;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final List<byte[]> keys;

    private SecretKeys(final List<byte[]> keys)
    {
        this.keys = List.copyOf(keys);
    }

    /**
     * Creates a random key.
     *
     * @return one random key, not written to a file yet
     */
    public static SecretKeys random()
    {
        return new SecretKeys(List.of(randomBytes(KEY_BYTES)));
    }

    private static byte[] randomBytes(final int count)
    {
        final byte[] bytes = new byte[count];
        RANDOM.nextBytes(bytes);
        return bytes;
    }

    /**
     * Reads a key file.
     *
     * @param file written by {@link #write}
     * @return its keys
     * @throws SecretException when it is missing, accessible by other users, or not a key file
     * @throws IOException when it cannot be read
     */
    public static SecretKeys read(final Path file) throws SecretException, IOException
    {
        try
        {
            final Set<PosixFilePermission> mode = Files.getPosixFilePermissions(file);
            if (!PosixFilePermissions.fromString(PRIVATE).containsAll(mode))
            {
                throw new SecretException(Reason.WIDE_MODE, "key file is accessible by other users, file=" + file
                    + " mode="
                    + PosixFilePermissions.toString(mode));
            }
            final List<byte[]> keys = new ArrayList<>();
            for (final String line : Files.readAllLines(file))
            {
                keys.add(key(line.strip(), file));
            }
            if (keys.isEmpty())
            {
                throw new SecretException(Reason.BAD_KEY, "key file is empty, file=" + file);
            }
            return new SecretKeys(keys);
        }
        catch (final NoSuchFileException e)
        {
            throw new SecretException(Reason.NO_KEY, "key file is missing, file=" + file);
        }
    }

    private static byte[] key(final String line, final Path file) throws SecretException
    {
        try
        {
            final byte[] key = line.startsWith(LINE) ? Base64.getDecoder().decode(line.substring(LINE.length())) : null;
            if (key != null && key.length == KEY_BYTES)
            {
                return key;
            }
        }
        catch (final IllegalArgumentException e)
        {
            // Not base64; the exception would quote it.
        }
        throw new SecretException(Reason.BAD_KEY, "not a key file, file=" + file);
    }

    /**
     * Writes a key file that only its owner can read. The file is replaced atomically: a reader sees either the old or
     * the new one.
     *
     * @param file to create or replace
     * @throws IOException when it cannot be written
     */
    public void write(final Path file) throws IOException
    {
        final StringBuilder text = new StringBuilder();
        for (final byte[] key : keys)
        {
            text.append(LINE).append(Base64.getEncoder().encodeToString(key)).append('\n');
        }
        final Path next = file.resolveSibling(file.getFileName() + ".next");
        Files.deleteIfExists(next);
        // The mode is set when the file is created, so there is no moment in which other users can read it.
        Files.createFile(next, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(PRIVATE)));
        try (FileChannel channel = FileChannel.open(next, StandardOpenOption.WRITE))
        {
            final ByteBuffer bytes = ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.US_ASCII));
            while (bytes.hasRemaining())
            {
                channel.write(bytes);
            }
            channel.force(true);
        }
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /**
     * Returns these keys preceded by a new one.
     *
     * @return keys that decrypt what these do, and encrypt with the new one
     */
    public SecretKeys renewed()
    {
        final List<byte[]> all = new ArrayList<>();
        all.add(randomBytes(KEY_BYTES));
        all.addAll(keys);
        return new SecretKeys(all);
    }

    /**
     * Returns only the key that encrypts.
     *
     * @return one key
     */
    public SecretKeys newest()
    {
        return new SecretKeys(keys.subList(0, 1));
    }

    /**
     * Encrypts a string; two calls return different results.
     *
     * @param text any
     * @return string that begins with {@link #PREFIX}
     */
    public String encrypt(final String text)
    {
        final byte[] nonce = randomBytes(NONCE_BYTES);
        final byte[] head = head(keys.get(0));
        try
        {
            final byte[] sealed = cipher(Cipher.ENCRYPT_MODE, keys.get(0), nonce, head)
                .doFinal(text.getBytes(StandardCharsets.UTF_8));
            return PREFIX + Base64.getEncoder().encodeToString(ByteBuffer.allocate(
                head.length + nonce.length + sealed.length).put(head).put(nonce).put(sealed).array());
        }
        catch (final GeneralSecurityException e)
        {
            throw new IllegalStateException("this Java runtime lacks " + CIPHER, e);
        }
    }

    /**
     * Decrypts a string.
     *
     * @param text string that begins with {@link #PREFIX}
     * @return the decrypted string
     * @throws SecretException when it was encrypted with another key, or is damaged
     */
    public String decrypt(final String text) throws SecretException
    {
        final byte[] bytes = decode(text);
        for (final byte[] key : keys)
        {
            final byte[] head = head(key);
            if (Arrays.equals(head, Arrays.copyOf(bytes, head.length)))
            {
                return open(key, head, bytes);
            }
        }
        throw new SecretException(Reason.OTHER_KEY, "string was encrypted with another key");
    }

    private static byte[] decode(final String text) throws SecretException
    {
        try
        {
            final byte[] bytes = text.startsWith(PREFIX)
                ? Base64.getDecoder().decode(text.substring(PREFIX.length())) : new byte[0];
            if (bytes.length >= MIN_BYTES && bytes[0] == VERSION)
            {
                return bytes;
            }
        }
        catch (final IllegalArgumentException e)
        {
            // Not base64; the exception would quote it.
        }
        throw new SecretException(Reason.DAMAGED, "not a valid encrypted string");
    }

    private static String open(final byte[] key, final byte[] head, final byte[] bytes) throws SecretException
    {
        final byte[] nonce = Arrays.copyOfRange(bytes, head.length, head.length + NONCE_BYTES);
        final int start = head.length + NONCE_BYTES;
        try
        {
            return new String(cipher(Cipher.DECRYPT_MODE, key, nonce, head).doFinal(bytes, start, bytes.length - start),
                StandardCharsets.UTF_8);
        }
        catch (final AEADBadTagException e)
        {
            throw new SecretException(Reason.DAMAGED, "encrypted string is damaged");
        }
        catch (final GeneralSecurityException e)
        {
            throw new IllegalStateException("this Java runtime lacks " + CIPHER, e);
        }
    }

    /** Version and id of the key, which the tag protects in addition to the ciphertext. */
    private static byte[] head(final byte[] key)
    {
        try
        {
            final byte[] hash = MessageDigest.getInstance("SHA-256").digest(key);
            return ByteBuffer.allocate(1 + ID_BYTES).put(VERSION).put(hash, 0, ID_BYTES).array();
        }
        catch (final GeneralSecurityException e)
        {
            throw new IllegalStateException("this Java runtime lacks SHA-256", e);
        }
    }

    private static Cipher cipher(final int mode, final byte[] key, final byte[] nonce, final byte[] head)
        throws GeneralSecurityException
    {
        final Cipher cipher = Cipher.getInstance(CIPHER);
        cipher.init(mode, new SecretKeySpec(key, "AES"), new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(head);
        return cipher;
    }
}
