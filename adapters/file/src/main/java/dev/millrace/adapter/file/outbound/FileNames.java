package dev.millrace.adapter.file.outbound;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The names of the files of a sink. Immutable.
 *
 * @param file     that the property of the sink names
 * @param appended what follows this name while rows are appended; not empty if rotated files are converted
 * @param finished what follows the name of a rotated file in the end
 */
record FileNames(Path file, String appended, String finished)
{
    /** Follows the name of a log. */
    static final String LOG = ".rows";
    /** Follows the name of a compressed file. */
    static final String GZIP = ".gz";

    private static final String PART = ".part";
    /** Complete files, of sinks with any properties. */
    private static final List<String> FORMS = List.of("", LOG, GZIP);

    /** The file to which rows are appended. */
    Path current()
    {
        return with(file, appended);
    }

    /** Whether rows are readable only in the last form of their file. */
    boolean isConverted()
    {
        return !appended.isEmpty();
    }

    /** The file with the stored numbers. */
    Path positions()
    {
        return with(file, ".positions");
    }

    /** A file that is locked while a sink uses the others, and contains the number of the last rotated one. */
    Path lock()
    {
        return with(file, ".lock");
    }

    /** The name of a rotated file: {@code trades-000001.csv}. */
    Path rotated(final int number)
    {
        return with(numbered(number), appended);
    }

    /** The same file in its last form. */
    Path finished(final int number)
    {
        return with(numbered(number), finished);
    }

    /** This form before it is complete. */
    Path part(final int number)
    {
        return with(finished(number), PART);
    }

    private Path numbered(final int number)
    {
        return file.resolveSibling(String.format("%s-%06d%s", base(), number, extension()));
    }

    private String base()
    {
        final String name = file.getFileName().toString();
        final int dot = name.lastIndexOf('.');
        return dot > 0 ? name.substring(0, dot) : name;
    }

    private String extension()
    {
        return file.getFileName().toString().substring(base().length());
    }

    private static Path with(final Path path, final String suffix)
    {
        return path.resolveSibling(path.getFileName() + suffix);
    }

    /** Whether a rotated file exists in any form. */
    boolean exists(final int number)
    {
        return Files.exists(part(number)) ||
            FORMS.stream().anyMatch(form -> Files.exists(with(numbered(number), form)));
    }

    /** Deletes a rotated file in all forms. */
    void delete(final int number) throws IOException
    {
        Files.deleteIfExists(part(number));
        for (final String form : FORMS)
        {
            Files.deleteIfExists(with(numbered(number), form));
        }
    }

    /** The numbers of the rotated files that exist. */
    TreeSet<Integer> numbers() throws IOException
    {
        final Pattern pattern = Pattern.compile(Pattern.quote(base()) + "-(\\d{6,9})" + Pattern.quote(extension()) +
            "(" + Pattern.quote(LOG) + '|' + Pattern.quote(GZIP) + ")?(" + Pattern.quote(PART) + ")?");
        final TreeSet<Integer> numbers = new TreeSet<>();
        try (Stream<Path> files = Files.list(file.getParent()))
        {
            for (final Path each : files.toList())
            {
                final Matcher matcher = pattern.matcher(each.getFileName().toString());
                if (matcher.matches())
                {
                    numbers.add(Integer.valueOf(matcher.group(1)));
                }
            }
        }
        return numbers;
    }
}
