package dev.millrace.server.http;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The users of {@code config/users}, one per line: {@code name:pbkdf2-sha256:rounds:salt:hash} with salt and hash in
 * base64. The file is read again when it changes. Thread-safe. Passwords are verified one at a time, because a
 * verification costs most of a second of processor time by design.
 */
final class UserStore
{
    static final int ROUNDS = 600_000;

    static final int MIN_SALT_BYTES = 16;

    static final int HASH_BYTES = 32;

    private static final Logger LOG = LoggerFactory.getLogger(UserStore.class);

    private static final String SCHEME = "pbkdf2-sha256";

    private static final int FIELDS = 5;

    private static final int MAX_ROUNDS = 10_000_000;

    private static final int BITS = 8;

    private final Path file;

    /** Key of the cache of verified passwords, so that only the first request of a client is slow. */
    private final byte[] memoryKey = new byte[HASH_BYTES];

    private final Map<String, byte[]> memory = new HashMap<>();

    private Map<String, Entry> users = Map.of();

    private FileTime readAt;

    UserStore(final Path file)
    {
        this.file = file;
        new SecureRandom().nextBytes(memoryKey);
    }

    private record Entry(int rounds, byte[] salt, byte[] hash)
    {
    }

    synchronized boolean isUser(final String name)
    {
        refresh();
        return users.containsKey(name);
    }

    synchronized boolean isRight(final String name, final char[] password)
    {
        refresh();
        final Entry entry = users.get(name);
        if (entry == null)
        {
            // The same work as for an existing user, so that the duration does not reveal which names exist.
            hash(password, new byte[MIN_SALT_BYTES], ROUNDS);
            return false;
        }
        final byte[] remembered = remember(name, password);
        if (MessageDigest.isEqual(memory.get(name), remembered))
        {
            return true;
        }
        if (MessageDigest.isEqual(entry.hash, hash(password, entry.salt, entry.rounds)))
        {
            memory.put(name, remembered);
            return true;
        }
        return false;
    }

    private byte[] remember(final String name, final char[] password)
    {
        try
        {
            final Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(memoryKey, "HmacSHA256"));
            mac.update(name.getBytes(StandardCharsets.UTF_8));
            mac.update((byte)0);
            return mac.doFinal(new String(password).getBytes(StandardCharsets.UTF_8));
        }
        catch (final GeneralSecurityException e)
        {
            throw new IllegalStateException("this Java runtime lacks HmacSHA256", e);
        }
    }

    static byte[] hash(final char[] password, final byte[] salt, final int rounds)
    {
        try
        {
            return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                .generateSecret(new PBEKeySpec(password, salt, rounds, HASH_BYTES * BITS)).getEncoded();
        }
        catch (final GeneralSecurityException e)
        {
            throw new IllegalStateException("this Java runtime lacks PBKDF2WithHmacSHA256", e);
        }
    }

    private void refresh()
    {
        try
        {
            final FileTime modified = Files.exists(file) ? Files.getLastModifiedTime(file) : null;
            if (modified == null)
            {
                users = Map.of();
                readAt = null;
            }
            else if (!modified.equals(readAt))
            {
                users = read();
                readAt = modified;
                memory.clear();
            }
        }
        catch (final IOException e)
        {
            LOG.warn("cannot read users, no user can log in with a password, file={} reason={}", file, e.toString());
            users = Map.of();
        }
    }

    private Map<String, Entry> read() throws IOException
    {
        final Map<String, Entry> read = new HashMap<>();
        int line = 0;
        for (final String text : Files.readAllLines(file))
        {
            line++;
            if (text.isBlank() || text.startsWith("#"))
            {
                continue;
            }
            final String[] fields = text.trim().split(":", -1);
            try
            {
                read.put(fields[0], entry(fields));
            }
            catch (final IllegalArgumentException e)
            {
                LOG.warn("{}:{}: SRV-0407: user ignored, reason={} hint: the format is "
                    + "name:pbkdf2-sha256:600000:salt:hash", file, line, e.getMessage());
            }
        }
        return read;
    }

    private static Entry entry(final String[] fields)
    {
        if (fields.length != FIELDS || fields[0].isEmpty() || !fields[1].equals(SCHEME))
        {
            throw new IllegalArgumentException("not five fields with scheme " + SCHEME);
        }
        final int rounds = Integer.parseInt(fields[2]);
        final byte[] salt = Base64.getDecoder().decode(fields[3]);
        final byte[] hash = Base64.getDecoder().decode(fields[FIELDS - 1]);
        if (rounds < ROUNDS || rounds > MAX_ROUNDS || salt.length < MIN_SALT_BYTES || hash.length != HASH_BYTES)
        {
            throw new IllegalArgumentException("too weak, rounds=" + rounds + " saltBytes=" + salt.length
                + " hashBytes=" + hash.length);
        }
        return new Entry(rounds, salt, hash);
    }
}
