package dev.millrace.distribution;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.commons.compress.archivers.ar.ArArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipFile;
import org.apache.commons.compress.compressors.gzip.GzipCompressorInputStream;

/** Reads archives with modes and owners, which the class library does not read. */
final class ArchiveEntries
{
    private static final int PERMISSIONS = 0777;
    /** In the order of the bits, the lowest first. */
    private static final PosixFilePermission[] BITS = {
        PosixFilePermission.OTHERS_EXECUTE, PosixFilePermission.OTHERS_WRITE, PosixFilePermission.OTHERS_READ,
        PosixFilePermission.GROUP_EXECUTE, PosixFilePermission.GROUP_WRITE, PosixFilePermission.GROUP_READ,
        PosixFilePermission.OWNER_EXECUTE, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_READ};

    /**
     * A file or a directory, whose name ends with a slash.
     *
     * @param owner user and group; empty in a zip file
     * @param link  target of a symbolic link, or empty
     */
    record Entry(int mode, String owner, String link, long sizeBytes)
    {
    }

    private ArchiveEntries()
    {
    }

    static Map<String, Entry> zip(final Path file) throws IOException
    {
        final Map<String, Entry> entries = new TreeMap<>();
        try (ZipFile zip = ZipFile.builder().setPath(file).get())
        {
            for (final ZipArchiveEntry entry : Collections.list(zip.getEntries()))
            {
                entries.put(entry.getName(), new Entry(entry.getUnixMode() & PERMISSIONS, "", "", entry.getSize()));
            }
        }
        return entries;
    }

    static Map<String, Entry> tarGz(final Path file) throws IOException
    {
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file)))
        {
            return tarGz(in, null);
        }
    }

    /**
     * Reads the data of a Debian package.
     *
     * @param target receives the files; {@code null}: only lists them
     */
    static Map<String, Entry> debianData(final Path file, final Path target) throws IOException
    {
        try (ArArchiveInputStream ar = open(file))
        {
            seek(ar, "data.tar.gz");
            return tarGz(ar, target);
        }
    }

    /** The texts of the control files of a Debian package, by name. */
    static Map<String, String> debianControl(final Path file) throws IOException
    {
        final Map<String, String> texts = new TreeMap<>();
        try (ArArchiveInputStream ar = open(file))
        {
            seek(ar, "control.tar.gz");
            final TarArchiveInputStream tar = new TarArchiveInputStream(new GzipCompressorInputStream(ar));
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry())
            {
                texts.put(name(entry), new String(tar.readAllBytes(), StandardCharsets.UTF_8));
            }
        }
        return texts;
    }

    private static ArArchiveInputStream open(final Path file) throws IOException
    {
        final ArArchiveInputStream ar =
            new ArArchiveInputStream(new BufferedInputStream(Files.newInputStream(file)));
        // The format requires this member in the first place.
        if (!ar.getNextEntry().getName().equals("debian-binary") ||
            !new String(ar.readAllBytes(), StandardCharsets.US_ASCII).equals("2.0\n"))
        {
            throw new AssertionError("not a Debian package: " + file);
        }
        return ar;
    }

    private static void seek(final ArArchiveInputStream ar, final String member) throws IOException
    {
        while (!ar.getNextEntry().getName().equals(member))
        {
            // The end of the archive is null, and the test fails.
        }
    }

    private static Map<String, Entry> tarGz(final InputStream in, final Path target) throws IOException
    {
        final Map<String, Entry> entries = new TreeMap<>();
        final TarArchiveInputStream tar = new TarArchiveInputStream(new GzipCompressorInputStream(in));
        for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry())
        {
            entries.put(name(entry), new Entry(entry.getMode() & PERMISSIONS,
                entry.getUserName() + ":" + entry.getGroupName(), entry.getLinkName(), entry.getSize()));
            if (target != null)
            {
                extract(tar, entry, target.resolve(name(entry)));
            }
        }
        return entries;
    }

    private static String name(final TarArchiveEntry entry)
    {
        return entry.getName().startsWith("./") ? entry.getName().substring(2) : entry.getName();
    }

    private static void extract(final InputStream in, final TarArchiveEntry entry, final Path file)
        throws IOException
    {
        if (entry.isDirectory())
        {
            Files.createDirectories(file);
        }
        else if (!entry.isSymbolicLink())
        {
            Files.createDirectories(file.getParent());
            Files.copy(in, file);
            Files.setPosixFilePermissions(file, permissions(entry.getMode()));
        }
    }

    private static Set<PosixFilePermission> permissions(final int mode)
    {
        final Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
        for (int bit = 0; bit < BITS.length; bit++)
        {
            if ((mode & 1 << bit) != 0)
            {
                permissions.add(BITS[bit]);
            }
        }
        return permissions;
    }
}
