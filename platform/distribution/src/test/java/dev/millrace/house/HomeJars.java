package dev.millrace.house;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
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
    static Map<String, Jar> read()
    {
        return Found.JARS;
    }

    /** The home does not change while tests run, and its digests take seconds. */
    private static final class Found
    {
        static final Map<String, Jar> JARS = find();

        private static Map<String, Jar> find()
        {
            final Map<String, Jar> found = new TreeMap<>();
            try
            {
                for (final Path file : jars(home()))
                {
                    if (!file.toString().contains("user_projects"))
                    {
                        add(file, found);
                    }
                }
            }
            catch (final IOException e)
            {
                throw new UncheckedIOException(e);
            }
            return found;
        }
    }

    private static List<Path> jars(final Path directory) throws IOException
    {
        try (Stream<Path> walk = Files.walk(directory))
        {
            return walk.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
        }
    }

    private static void add(final Path file, final Map<String, Jar> found) throws IOException
    {
        final Matcher matcher = NAME.matcher(file.toString());
        if (matcher.matches())
        {
            final Jar jar = new Jar(matcher.group(1), matcher.group(2), sha256(Files.readAllBytes(file)));
            final Jar other = found.put(jar.artifact() + ' ' + jar.version(), jar);
            if (other != null && !other.equals(jar) && !jar.isOwn())
            {
                throw new IllegalStateException("two jars of one name and version differ, name=" + file);
            }
        }
        try (FileSystem nested = FileSystems.newFileSystem(file))
        {
            for (final Path each : jars(nested.getPath("/")))
            {
                add(each, found);
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
