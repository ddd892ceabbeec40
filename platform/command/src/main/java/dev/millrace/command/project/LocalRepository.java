package dev.millrace.command.project;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The local repository of Maven.
 *
 * @param directory root of its groups
 */
record LocalRepository(Path directory)
{
    private static final Pattern COMMENT = Pattern.compile("<!--.*?-->", Pattern.DOTALL);
    private static final Pattern LOCAL = Pattern.compile("<localRepository>\\s*([^<]*?)\\s*</localRepository>");

    /**
     * Returns the repository that Maven uses for this user: {@code localRepository} of {@code ~/.m2/settings.xml}, or
     * {@code ~/.m2/repository}. See the Settings Reference of Maven.
     *
     * @throws IOException when the settings cannot be read
     */
    static LocalRepository ofUser() throws IOException
    {
        final Path home = Path.of(System.getProperty("user.home"));
        final Path settings = home.resolve(".m2/settings.xml");
        final String configured = Files.exists(settings) ? configured(settings) : "";
        return new LocalRepository(configured.isEmpty() ? home.resolve(".m2/repository") :
            Path.of(configured.replace("${user.home}", home.toString())));
    }

    private static String configured(final Path settings) throws IOException
    {
        final Matcher found = LOCAL.matcher(COMMENT.matcher(Files.readString(settings)).replaceAll(""));
        return found.find() ? found.group(1) : "";
    }

    /**
     * Copies a file, which is replaced as a whole.
     *
     * @param name path in the repository
     * @throws IOException when the file cannot be read or written
     */
    void add(final String name, final Path source) throws IOException
    {
        final Path target = directory.resolve(name);
        Files.createDirectories(target.getParent());
        final Path unfinished = Files.createTempFile(target.getParent(), "millrace", ".tmp");
        try
        {
            Files.copy(source, unfinished, StandardCopyOption.REPLACE_EXISTING);
            Files.move(unfinished, target, StandardCopyOption.REPLACE_EXISTING);
        }
        finally
        {
            Files.deleteIfExists(unfinished);
        }
    }

    /** Whether the repository contains a file. */
    boolean contains(final String name)
    {
        return Files.exists(directory.resolve(name));
    }
}
