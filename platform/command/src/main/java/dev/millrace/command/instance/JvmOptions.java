package dev.millrace.command.instance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * JVM options of an instance, added to those of its file.
 *
 * @param added options separated by blanks, or empty; a garbage collector replaces that of the file
 */
public record JvmOptions(String added)
{
    /** The options of the file only. */
    public static final JvmOptions USUAL = new JvmOptions("");

    private static final Pattern COLLECTOR = Pattern.compile("-XX:\\+Use\\w*GC\\b");
    private static final Pattern COLLECTOR_LINE = Pattern.compile("(?m)^" + COLLECTOR.pattern());

    /**
     * Writes them to the file of a domain, which uses them from its next start.
     *
     * @throws IOException when the file cannot be read or written
     */
    public void addTo(final Path domain) throws IOException
    {
        final Path file = domain.resolve("config/jvm.options");
        Files.writeString(file, in(Files.readString(file)));
    }

    /** Returns the content of a file with these options. */
    String in(final String file)
    {
        if (added.isBlank())
        {
            return file;
        }
        final String kept = COLLECTOR.matcher(added).find() ? COLLECTOR_LINE.matcher(file).replaceAll("# $0") : file;
        return kept + "\n# Added for a measurement.\n" + added.strip() + "\n";
    }
}
