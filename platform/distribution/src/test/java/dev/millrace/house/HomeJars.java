package dev.millrace.house;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** The jars of the assembled home, including those within bundles. */
final class HomeJars
{
    private static final Pattern NAME = Pattern.compile("(?:.*/)?([A-Za-z0-9._-]+?)-([0-9]+(?:\\.[0-9][^/]*)?)\\.jar");

    /**
     * A jar.
     *
     * @param artifact name without version
     * @param sha256   digest of its bytes, in hex
     */
    record Jar(String artifact, String version, String sha256)
    {
        boolean isOwn()
        {
            return artifact.startsWith("millrace-");
        }
    }

    private HomeJars()
    {
    }

    static Path home()
    {
        return Path.of(System.getProperty("millrace.home"));
    }

    /** Returns jars by name and version; a jar in several locations occurs once. */
    static Map<String, Jar> read() throws IOException
    {
        final Map<String, Jar> found = new TreeMap<>();
        final List<Path> files;
        try (Stream<Path> walk = Files.walk(home()))
        {
            files = walk.filter(file -> file.toString().endsWith(".jar"))
                .filter(file -> !file.toString().contains("user_projects")).sorted().toList();
        }
        for (final Path file : files)
        {
            add(file.getFileName().toString(), Files.readAllBytes(file), found);
        }
        return found;
    }

    private static void add(final String name, final byte[] bytes, final Map<String, Jar> found) throws IOException
    {
        final Matcher matcher = NAME.matcher(name);
        if (matcher.matches())
        {
            final Jar jar = new Jar(matcher.group(1), matcher.group(2), sha256(bytes));
            final Jar other = found.put(jar.artifact() + ' ' + jar.version(), jar);
            if (other != null && !other.equals(jar) && !jar.isOwn())
            {
                throw new IllegalStateException("two jars of one name and version differ, name=" + name);
            }
        }
        try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(bytes)))
        {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry())
            {
                if (entry.getName().endsWith(".jar"))
                {
                    add(entry.getName(), zip.readAllBytes(), found);
                }
            }
        }
    }

    private static String sha256(final byte[] bytes)
    {
        try
        {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        }
        catch (final NoSuchAlgorithmException impossible)
        {
            throw new IllegalStateException(impossible);
        }
    }
}
