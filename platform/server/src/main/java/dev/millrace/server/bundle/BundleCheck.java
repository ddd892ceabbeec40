package dev.millrace.server.bundle;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.server.config.BundleTrust;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/**
 * Checks a bundle before it is installed in the framework. Sizes are counted while unpacking, because the sizes in an
 * archive's directory are not trustworthy. Not thread-safe; used once.
 */
public final class BundleCheck
{
    static final int MAX_ENTRIES = 10_000;

    static final long MAX_TOTAL_BYTES = 64L << 20;

    static final int MAX_RATIO = 100;

    static final int MAX_MANIFEST_BYTES = 1 << 20;

    /** Smaller entries may have any compression ratio. */
    private static final long RATIO_FROM_BYTES = 1 << 20;

    private static final int CLASS_MAGIC = 0xCAFEBABE;

    private static final int CLASS_HEADER_BYTES = 8;

    /** Class file version of Java N is N + 44. */
    private static final int CLASS_VERSION_BASE = 44;

    private static final int BUFFER_BYTES = 64 << 10;

    private static final String MANIFEST = "META-INF/MANIFEST.MF";

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]{0,199}");

    private static final Pattern VERSIONED = Pattern.compile("META-INF/versions/(\\d{1,4})/.*");

    private final String shownName;

    private final byte[] buffer = new byte[BUFFER_BYTES];

    private final CRC32 checksum = new CRC32();

    private long totalBytes;

    private BundleCheck(final String shownName)
    {
        this.shownName = shownName;
    }

    /** Symbolic name and version of a valid bundle. */
    public record Identity(String symbolicName, String version)
    {
    }

    /**
     * Checks a bundle: archive, names of entries, sizes, checksums, manifest and signature.
     *
     * @param shownName its name as the user knows it, for messages
     * @param trust     whose signature it must have
     * @throws IOException         when the file cannot be read
     * @throws DeploymentException when it is rejected
     */
    public static Identity check(final Path file, final String shownName, final BundleTrust trust)
        throws IOException, DeploymentException
    {
        final Identity identity = new BundleCheck(shownName).check(file);
        new BundleSignature(shownName, trust).check(file);
        return identity;
    }

    private Identity check(final Path file) throws IOException, DeploymentException
    {
        try (ZipFile zip = new ZipFile(file.toFile()))
        {
            if (zip.size() > MAX_ENTRIES)
            {
                throw refuse("SRV-0203", "", "too many entries, entries=" + zip.size() + " limit=" + MAX_ENTRIES,
                    "remove entries that the application does not need");
            }
            for (final ZipEntry entry : entries(zip))
            {
                checkName(entry.getName());
                checkContent(zip, entry);
            }
            return identity(zip);
        }
        catch (final ZipException | EOFException e)
        {
            throw new DeploymentException(List.of(new DeploymentException.Problem("SRV-0201",
                new SourcePosition(shownName, 0, 0), "not a bundle: not a readable zip archive, reason="
                + e.getMessage(), "install the .jar file that the application's build produces", "")), e);
        }
    }

    private List<? extends ZipEntry> entries(final ZipFile zip) throws DeploymentException
    {
        try
        {
            return Collections.list(zip.entries());
        }
        catch (final IllegalArgumentException e)
        {
            // The JDK decodes names and comments here and throws this exception for invalid UTF-8.
            throw refuse("SRV-0204", "", "name or comment of an entry is not valid UTF-8, reason=" + e.getMessage(),
                "build the bundle again with a standard build tool");
        }
    }

    private void checkName(final String name) throws DeploymentException
    {
        if (name.indexOf('\0') >= 0 || name.startsWith("/") || name.contains("\\") || name.matches("^[A-Za-z]:.*")
            || leavesRoot(name))
        {
            throw refuse("SRV-0204", name, "entry points outside the archive, entry=" + printable(name),
                "build the bundle again with a standard build tool");
        }
    }

    /** Compares strings, because a path of the file system cannot represent all names when the locale is not UTF-8. */
    private static boolean leavesRoot(final String name)
    {
        int depth = 0;
        for (final String part : name.split("/"))
        {
            depth += "..".equals(part) ? -1 : part.isEmpty() || ".".equals(part) ? 0 : 1;
            if (depth < 0)
            {
                return true;
            }
        }
        return false;
    }

    private static String printable(final String name)
    {
        return name.replaceAll("\\p{Cntrl}", "?");
    }

    private void checkContent(final ZipFile zip, final ZipEntry entry) throws IOException, DeploymentException
    {
        if (entry.isDirectory())
        {
            return;
        }
        long size = 0;
        checksum.reset();
        try (InputStream in = zip.getInputStream(entry))
        {
            int read = in.readNBytes(buffer, 0, buffer.length);
            if (entry.getName().endsWith(".class"))
            {
                checkClassVersion(entry.getName(), read);
            }
            while (read > 0)
            {
                checksum.update(buffer, 0, read);
                size += read;
                totalBytes += read;
                checkLimits(entry, size);
                read = in.read(buffer);
            }
        }
        if (entry.getCrc() != checksum.getValue())
        {
            throw refuse("SRV-0243", entry.getName(), "entry is damaged, its checksum does not match, entry="
                + printable(entry.getName()), "copy or build the bundle again");
        }
    }

    private void checkLimits(final ZipEntry entry, final long size) throws DeploymentException
    {
        if (totalBytes > MAX_TOTAL_BYTES)
        {
            throw refuse("SRV-0203", entry.getName(), "too large when unpacked, limitBytes=" + MAX_TOTAL_BYTES,
                "move large data out of the bundle");
        }
        if (size > RATIO_FROM_BYTES && size / Math.max(1, entry.getCompressedSize()) > MAX_RATIO)
        {
            throw refuse("SRV-0203", entry.getName(), "entry unpacks to more than " + MAX_RATIO
                + " times its size, entry=" + printable(entry.getName()), "store such data outside the bundle");
        }
    }

    private void checkClassVersion(final String name, final int read) throws DeploymentException
    {
        final Matcher versioned = VERSIONED.matcher(name);
        if (read < CLASS_HEADER_BYTES || name.endsWith("module-info.class")
            || versioned.matches() && Integer.parseInt(versioned.group(1)) > Runtime.version().feature())
        {
            return;
        }
        final ByteBuffer header = ByteBuffer.wrap(buffer, 0, CLASS_HEADER_BYTES);
        final boolean isClass = header.getInt() == CLASS_MAGIC;
        header.getShort();
        final int java = Short.toUnsignedInt(header.getShort()) - CLASS_VERSION_BASE;
        if (!isClass || java > Runtime.version().feature())
        {
            throw refuse("SRV-0205", name, isClass
                ? "class requires a newer Java version, class=" + printable(name) + " needs=" + java + " runs="
                + Runtime.version().feature() : "not a class file, entry=" + printable(name),
                isClass ? "compile with --release " + Runtime.version().feature() + " or run the instance on Java "
                + java : "build the bundle again");
        }
    }

    private Identity identity(final ZipFile zip) throws IOException, DeploymentException
    {
        final ZipEntry entry = zip.getEntry(MANIFEST);
        if (entry == null)
        {
            throw refuse("SRV-0202", MANIFEST, "the archive has no manifest",
                "build it with bnd or the maven-bundle-plugin, which write the OSGi manifest");
        }
        final byte[] bytes;
        try (InputStream in = zip.getInputStream(entry))
        {
            bytes = in.readNBytes(MAX_MANIFEST_BYTES + 1);
        }
        if (bytes.length > MAX_MANIFEST_BYTES)
        {
            throw refuse("SRV-0203", MANIFEST, "the manifest is too large, limitBytes=" + MAX_MANIFEST_BYTES,
                "shorten its headers");
        }
        final Attributes attributes = manifest(bytes);
        final String symbolicName = header(attributes, "Bundle-SymbolicName");
        if (!NAME.matcher(symbolicName).matches())
        {
            throw refuse("SRV-0202", MANIFEST, "Bundle-SymbolicName is missing or invalid, value="
                + printable(symbolicName), "it may contain letters, digits, '.', '_' and '-'; it is the application's"
                + " name");
        }
        if (!header(attributes, "Bundle-ManifestVersion").equals("2"))
        {
            throw refuse("SRV-0202", MANIFEST, "Bundle-ManifestVersion is not 2",
                "add Bundle-ManifestVersion: 2 to the manifest");
        }
        if (attributes.getValue("Fragment-Host") != null)
        {
            throw refuse("SRV-0202", MANIFEST, "a fragment is not an application", "install its host");
        }
        return new Identity(symbolicName, header(attributes, "Bundle-Version"));
    }

    private Attributes manifest(final byte[] bytes) throws DeploymentException
    {
        try
        {
            return new Manifest(new ByteArrayInputStream(bytes)).getMainAttributes();
        }
        catch (final IOException e)
        {
            throw refuse("SRV-0202", MANIFEST, "the manifest cannot be read, reason=" + e.getMessage(),
                "build the bundle again");
        }
    }

    private static String header(final Attributes attributes, final String name)
    {
        final String value = attributes.getValue(name);
        return value == null ? "" : value.replaceFirst(";.*", "").trim();
    }

    private DeploymentException refuse(final String code, final String entry, final String text, final String hint)
    {
        return new DeploymentException(code,
            new SourcePosition(entry.isEmpty() ? shownName : shownName + '!' + printable(entry), 0, 0), text, hint);
    }
}
