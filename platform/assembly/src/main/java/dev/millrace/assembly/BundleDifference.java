package dev.millrace.assembly;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** Compares the bundles of two versions of an application. Stateless and thread-safe. */
public final class BundleDifference
{
    private static final String MANIFEST = "META-INF/MANIFEST.MF";

    /** Headers with the time, the tools and the version of the build. */
    private static final String OF_BUILD =
        "(?i)Bundle-Version|Implementation-Version|Specification-Version|Bnd-.*|Build.*|Built-.*|Created-By|Tool";

    private BundleDifference()
    {
    }

    /**
     * Whether two bundles have the same content, apart from component configuration files, versions and build metadata.
     *
     * @param one a checked bundle
     * @return also false when the first file is missing
     * @throws IOException when a file cannot be read
     */
    public static boolean isOnlyConfiguration(final Path one, final Path other) throws IOException
    {
        if (!Files.isRegularFile(one))
        {
            return false;
        }
        try (ZipFile first = new ZipFile(one.toFile()); ZipFile second = new ZipFile(other.toFile()))
        {
            final Map<String, ZipEntry> left = entries(first);
            final Map<String, ZipEntry> right = entries(second);
            boolean isSame = left.keySet().equals(right.keySet()) && manifest(first).equals(manifest(second));
            for (final Map.Entry<String, ZipEntry> each : left.entrySet())
            {
                isSame = isSame && Arrays.equals(
                    bytes(first, each.getValue()), bytes(second, right.get(each.getKey())));
            }
            return isSame;
        }
    }

    /**
     * Whether a file of a bundle is neither component configuration nor metadata of the build.
     *
     * @param path in the bundle
     */
    public static boolean isContent(final String path)
    {
        return !path.matches("META-INF/(MANIFEST\\.MF|wlevs/[^/]+\\.xml|maven/.*)");
    }

    /**
     * Returns the headers of a manifest without versions and build metadata.
     *
     * @return values by name
     */
    public static Map<String, String> headers(final Manifest manifest)
    {
        return manifest.getMainAttributes().entrySet().stream()
            .filter(each -> !each.getKey().toString().matches(OF_BUILD))
            .collect(Collectors.toMap(each -> each.getKey().toString(), each -> each.getValue().toString()));
    }

    private static Map<String, ZipEntry> entries(final ZipFile zip)
    {
        final Map<String, ZipEntry> entries = new TreeMap<>();
        Collections.list(zip.entries()).stream().filter(each -> !each.isDirectory() && isContent(each.getName()))
            .forEach(each -> entries.put(each.getName(), each));
        return entries;
    }

    private static byte[] bytes(final ZipFile zip, final ZipEntry entry) throws IOException
    {
        try (InputStream in = zip.getInputStream(entry))
        {
            return in.readAllBytes();
        }
    }

    private static Map<String, String> manifest(final ZipFile zip) throws IOException
    {
        try (InputStream in = zip.getInputStream(zip.getEntry(MANIFEST)))
        {
            return headers(new Manifest(in));
        }
    }
}
