package dev.millrace.command.instance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * Options of the Java machine that an instance gets beside those of its file.
 *
 * @param added options with blanks between, or empty; a collector takes the place of the file's collector
 */
public record JvmOptions(String added)
{
    /** Those of the file. */
    public static final JvmOptions USUAL = new JvmOptions("");

    private static final Pattern COLLECTOR = Pattern.compile("-XX:\\+Use\\w*GC\\b");
    private static final Pattern COLLECTOR_LINE = Pattern.compile("(?m)^" + COLLECTOR.pattern());

    /**
     * Writes them into the file of a domain, which takes them at its next start.
     *
     * @param domain directory of the domain
     * @throws IOException when the file cannot be read or written
     */
    public void addTo(final Path domain) throws IOException
    {
        final Path file = domain.resolve("config/jvm.options");
        Files.writeString(file, in(Files.readString(file)));
    }

    /** The text of a file with these. */
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
