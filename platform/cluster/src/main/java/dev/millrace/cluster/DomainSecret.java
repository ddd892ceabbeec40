package dev.millrace.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * What the members of a domain know and nobody else does: 32 random bytes in a file that only its owner may read. Keys
 * for each purpose are derived from it (HKDF with SHA-256, RFC 5869), so that none tells another. Immutable.
 */
public final class DomainSecret
{
    /** Of the secret, and of each key. */
    public static final int BYTES = 32;

    private static final String FILE = "cluster.secret";
    private static final String ALGORITHM = "HmacSHA256";
    private static final byte[] SALT = "millrace domain secret 1".getBytes(StandardCharsets.US_ASCII);
    private static final Set<PosixFilePermission> OWNER =
        EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
    private static final String HOW =
        "millrace domain create makes it, millrace domain clone copies it; copy that of another member, with mode 600";

    private final byte[] extracted;

    private DomainSecret(final byte[] secret)
    {
        extracted = hmac(SALT, secret);
    }

    /**
     * Makes one of its bytes.
     *
     * @param secret {@value #BYTES} bytes; copied
     * @return the secret
     */
    public static DomainSecret of(final byte[] secret)
    {
        if (secret.length != BYTES)
        {
            throw new IllegalArgumentException("not a secret, bytes=" + secret.length + " expected=" + BYTES);
        }
        return new DomainSecret(secret);
    }

    /**
     * Finds the secret of a member: in {@code config} of its domain; for a cluster on loopback alone else the one of
     * the user, which is made when it is missing, so that directories copied by hand belong together.
     *
     * @param configuration directory of the domain's configuration
     * @param userHome      directory of the user, for members that listen and look on loopback
     * @param hosts         where this member listens and where others are, without ports
     * @return the secret
     * @throws ClusterException when it is missing or others may read it
     */
    public static DomainSecret find(final Path configuration, final Path userHome, final List<String> hosts)
        throws ClusterException
    {
        final Path own = configuration.resolve(FILE);
        if (Files.exists(own, LinkOption.NOFOLLOW_LINKS))
        {
            return read(own);
        }
        if (!hosts.stream().allMatch(DomainSecret::isLoopback))
        {
            throw new ClusterException("CLU-0108", "the secret of the domain is missing, file=" + own, HOW, null);
        }
        final Path ofUser = userHome.resolve(".millrace").resolve(FILE);
        if (!Files.exists(ofUser, LinkOption.NOFOLLOW_LINKS))
        {
            make(ofUser, own);
        }
        return read(ofUser);
    }

    /** Whether a host is this machine alone; one that is not known is not. */
    private static boolean isLoopback(final String host)
    {
        try
        {
            return InetAddress.getByName(host).isLoopbackAddress();
        }
        catch (final UnknownHostException e)
        {
            return false;
        }
    }

    private static void make(final Path file, final Path own) throws ClusterException
    {
        final byte[] secret = new byte[BYTES];
        new SecureRandom().nextBytes(secret);
        try
        {
            final FileAttribute<?> directoryMode =
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
            Files.createDirectories(file.getParent(), directoryMode);
            // Complete under its name, or not there: members that start at once must not read half of it.
            final Path next = Files.createTempFile(file.getParent(), FILE, ".next",
                PosixFilePermissions.asFileAttribute(OWNER));
            Files.writeString(next, HexFormat.of().formatHex(secret) + '\n');
            try
            {
                Files.createLink(file, next);
            }
            catch (final FileAlreadyExistsException e)
            {
                // Another member of this user was faster; its secret counts.
                Files.delete(next);
                return;
            }
            Files.delete(next);
        }
        catch (final IOException | UnsupportedOperationException e)
        {
            throw new ClusterException("CLU-0108", "the secret of the domain is missing, file=" + own + ", and none " +
                "can be made for this user, file=" + file + " reason=" + e, HOW, e);
        }
    }

    private static DomainSecret read(final Path file) throws ClusterException
    {
        try
        {
            final PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
            if (view != null && !OWNER.containsAll(view.readAttributes().permissions()))
            {
                throw new ClusterException("CLU-0108", "others than its owner may read the secret of the domain, " +
                    "file=" + file,
                    "chmod 600 the file; if others may have read it, make a new one for all members", null);
            }
            return of(HexFormat.of().parseHex(Files.readString(file).strip()));
        }
        catch (final IOException | IllegalArgumentException e)
        {
            throw new ClusterException("CLU-0108", "the secret of the domain cannot be read, file=" + file +
                " reason=" + e, "it holds " + 2 * BYTES + " hexadecimal digits; " + HOW, e);
        }
    }

    /**
     * A key for one purpose.
     *
     * @param purpose of the key; a different one gives a key that tells nothing of this one
     * @return {@value #BYTES} bytes
     */
    public byte[] key(final String purpose)
    {
        final byte[] label = purpose.getBytes(StandardCharsets.UTF_8);
        final byte[] info = new byte[label.length + 1];
        System.arraycopy(label, 0, info, 0, label.length);
        info[label.length] = 1;
        return hmac(extracted, info);
    }

    private static byte[] hmac(final byte[] key, final byte[] said)
    {
        try
        {
            final Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            return mac.doFinal(said);
        }
        catch (final GeneralSecurityException e)
        {
            throw new IllegalStateException("each Java platform has " + ALGORITHM, e);
        }
    }

    /** Without the bytes, for this ends up in logs. */
    @Override
    public String toString()
    {
        return "DomainSecret";
    }
}
