package dev.millrace.command.migration;

import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.network.definition.SourcePosition;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/**
 * Maps a compiled bundle: its classes, those of the jars nested in it, its assembly files and its manifest. A signature
 * of the bundle is removed, because it is not valid for other classes. Used once, by one thread.
 */
final class BundleMigration
{
    static final String MANIFEST = "META-INF/MANIFEST.MF";

    /** The server rejects larger bundles. */
    private static final long MAX_BYTES = 64L << 20;
    private static final int BUFFER_BYTES = 64 << 10;
    private static final Pattern SIGNATURE = Pattern.compile("META-INF/[^/]+\\.(SF|RSA|DSA|EC)");
    private static final String CLASS = ".class";
    private static final String JAR = ".jar";

    private final OldNames names = new OldNames();
    private final MigrationReport report = new MigrationReport();
    private final ClassIndex index;
    private final Path bundle;
    private final Map<String, ClassSummary> migrated = new LinkedHashMap<>();
    private long totalBytes;

    /**
     * @param home of the product, with the classes of its bundles; {@code null} to check only classes of the API
     */
    BundleMigration(final Path bundle, final Path home)
    {
        this.bundle = bundle;
        index = new ClassIndex(home);
    }

    /**
     * Maps the bundle.
     *
     * @param output new bundle; {@code null} to create only the report
     * @throws CommandException when the file is not a bundle
     */
    MigrationReport migrate(final Path output)
    {
        try (InputStream in = Files.newInputStream(bundle))
        {
            final Map<String, byte[]> entries = entries(in);
            if (!entries.containsKey(MANIFEST))
            {
                throw new IOException("it has no " + MANIFEST);
            }
            index(entries);
            final ClassMigration classes = new ClassMigration(names, index, report);
            final Set<String> packages = new TreeSet<>();
            final Map<String, byte[]> result = migrated(bundle.getFileName().toString() + '!', entries, classes,
                packages);
            migrated.values().forEach(index::addOwn);
            migrated.forEach(classes::checkImplements);
            packages.addAll(classes.packages());
            result.put(MANIFEST, manifest(entries.get(MANIFEST), packages));
            if (output != null)
            {
                Files.write(output, archive(result));
            }
            return report;
        }
        catch (final IOException | RuntimeException e)
        {
            if (e instanceof CommandException expected)
            {
                throw expected;
            }
            throw new CommandException(ExitCode.FAILED, "CMD-0284", "the bundle cannot be migrated, file=" + bundle +
                " reason=" + (e.getMessage() == null ? e : e.getMessage()),
                "specify the jar that the build of the application has produced");
        }
    }

    private Map<String, byte[]> entries(final InputStream in) throws IOException
    {
        final Map<String, byte[]> entries = new LinkedHashMap<>();
        // The manifest is the first entry of a bundle.
        entries.put(MANIFEST, null);
        final ZipInputStream zip = new ZipInputStream(in);
        for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry())
        {
            if (!entry.isDirectory() && !SIGNATURE.matcher(entry.getName()).matches())
            {
                entries.put(entry.getName(), content(zip));
            }
        }
        if (entries.get(MANIFEST) == null)
        {
            entries.remove(MANIFEST);
        }
        return entries;
    }

    private byte[] content(final InputStream in) throws IOException
    {
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        final byte[] buffer = new byte[BUFFER_BYTES];
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer))
        {
            totalBytes += read;
            if (totalBytes > MAX_BYTES)
            {
                throw new IOException("it is too large when unpacked, limitBytes=" + MAX_BYTES);
            }
            out.write(buffer, 0, read);
        }
        return out.toByteArray();
    }

    private void index(final Map<String, byte[]> entries) throws IOException
    {
        for (final Map.Entry<String, byte[]> entry : entries.entrySet())
        {
            if (isClass(entry.getKey()))
            {
                index.addOwn(ClassSummary.of(entry.getValue()));
            }
            else if (entry.getKey().endsWith(JAR))
            {
                final long before = totalBytes;
                index(entries(new ByteArrayInputStream(entry.getValue())));
                totalBytes = before;
            }
        }
    }

    private static boolean isClass(final String entry)
    {
        return entry.endsWith(CLASS) && !entry.endsWith("module-info.class") && !entry.startsWith("META-INF/");
    }

    private Map<String, byte[]> migrated(final String location, final Map<String, byte[]> entries,
        final ClassMigration classes, final Set<String> packages) throws IOException
    {
        final XmlMigration xml = new XmlMigration(names, report, packages);
        final Map<String, byte[]> result = new LinkedHashMap<>();
        for (final Map.Entry<String, byte[]> entry : entries.entrySet())
        {
            final String name = entry.getKey();
            final byte[] bytes = entry.getValue();
            if (isClass(name))
            {
                refuseOldApi(location + name, name);
                final byte[] newBytes = classes.migrate(location + name, bytes);
                migrated.put(location + name, ClassSummary.of(newBytes));
                result.put(name, newBytes);
            }
            else if (name.endsWith(JAR))
            {
                result.put(name, archive(migrated(location + name + '!', entries(new ByteArrayInputStream(bytes)),
                    classes, packages)));
            }
            else
            {
                result.put(name, XmlMigration.isAssembly(name) ? xml.migrate(location + name, bytes) : bytes);
            }
        }
        return result;
    }

    private void refuseOldApi(final String location, final String entry)
    {
        final String name = entry.substring(0, entry.length() - CLASS.length()).replace('/', '.');
        if (names.classes().containsKey(name))
        {
            report.problem("CMD-0285", new SourcePosition(location, 0, 0),
                "the bundle contains a class of the old API, class=" + name,
                "build the bundle without the libraries of Oracle's server");
        }
    }

    private byte[] manifest(final byte[] bytes, final Set<String> packages) throws IOException
    {
        final Manifest manifest = new Manifest(new ByteArrayInputStream(bytes));
        new ManifestMigration(names, report).migrate(
            bundle.getFileName().toString() + '!' + MANIFEST, manifest, packages);
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        manifest.write(out);
        return out.toByteArray();
    }

    private static byte[] archive(final Map<String, byte[]> entries) throws IOException
    {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes))
        {
            for (final Map.Entry<String, byte[]> entry : entries.entrySet())
            {
                zip.putNextEntry(new ZipEntry(entry.getKey()));
                zip.write(entry.getValue());
                zip.closeEntry();
            }
        }
        return bytes.toByteArray();
    }
}
