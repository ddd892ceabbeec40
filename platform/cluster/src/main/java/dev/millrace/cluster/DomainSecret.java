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
 * The secret that only members of a domain have: 32 random bytes in a file that only its owner may read. A key for each
 * purpose is derived from it (HKDF with SHA-256, RFC 5869), so that no key reveals another. Immutable.
 */
public final class DomainSecret
{
    /** Length of the secret and of each key. */
    public static final int BYTES = 32;

    private static final String FILE = "cluster.secret";
    private static final String ALGORITHM = "HmacSHA256";
    private static final byte[] SALT = "millrace domain secret 1".getBytes(StandardCharsets.US_ASCII);
    private static final Set<PosixFilePermission> OWNER =
        EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
    private static final String HOW =
        "millrace domain create creates it, millrace domain clone copies it; copy that of another member, with mode "
            + "600";

    private final byte[] extracted;

    private DomainSecret(final byte[] secret)
    {
        extracted = hmac(SALT, secret);
    }

    /**
     * Wraps existing bytes.
     *
     * @param secret {@value #BYTES} bytes; copied
     * @return the secret
     */
    public static DomainSecret of(final byte[] secret)
    {
        if (secret.length != BYTES)
        {
            throw new IllegalArgumentException("the secret has the wrong length, bytes=" + secret.length
                + " expected=" + BYTES);
        }
        return new DomainSecret(secret);
    }

    /**
     * Finds the secret of a member: the file in the domain's {@code config} directory; if it is missing and the cluster
     * uses loopback addresses only, the secret of the user, which is created when missing. This way, domain directories
     * that were copied manually can still form a cluster.
     *
     * @param configuration configuration directory of the domain
     * @param userHome      home directory of the user, used for loopback clusters only
     * @param hosts         address of this member and of the others, without ports
     * @return the secret
     * @throws ClusterException when it is missing or other users may read it
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

    /** Whether a host name resolves to loopback addresses only; false when it cannot be resolved. */
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
            // Write a temporary file and rename it: members that start at the same time must not read a partial file.
            final Path next = Files.createTempFile(file.getParent(), FILE, ".next",
                PosixFilePermissions.asFileAttribute(OWNER));
            Files.writeString(next, HexFormat.of().formatHex(secret) + '\n');
            try
            {
                Files.createLink(file, next);
            }
            catch (final FileAlreadyExistsException e)
            {
                // Another member of this user has created it first; use that one.
                Files.delete(next);
                return;
            }
            Files.delete(next);
        }
        catch (final IOException | UnsupportedOperationException e)
        {
            throw new ClusterException("CLU-0108", "the secret of the domain is missing, file=" + own + ", and none " +
                "can be created for this user, file=" + file + " reason=" + e, HOW, e);
        }
    }

    private static DomainSecret read(final Path file) throws ClusterException
    {
        try
        {
            final PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
            if (view != null && !OWNER.containsAll(view.readAttributes().permissions()))
            {
                throw new ClusterException("CLU-0108", "users other than its owner may read the secret of the domain, "
                    + "file=" + file,
                    "chmod 600 the file; if others may have read it, create a new one for all members", null);
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
     * Derives the key for one purpose.
     *
     * @param purpose different purposes give unrelated keys
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
            throw new IllegalStateException("every Java platform provides " + ALGORITHM, e);
        }
    }

    /** Omits the bytes, because this string can appear in logs. */
    @Override
    public String toString()
    {
        return "DomainSecret";
    }
}
