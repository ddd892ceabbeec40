package dev.millrace.adapter.file;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The instance properties of a sink as set, and their validation. Not thread-safe. */
final class SinkProperties
{
    private static final int MAX_MILLIS = 3_600_000;
    private static final int MAX_FILES = 100_000;
    private static final int MINUTE_MS = 60_000;
    private static final int MAX_MINUTES = 525_600;

    String file;
    String columns;
    boolean header = true;
    String separator = ",";
    String timeColumn;
    String kindColumn;
    boolean exactlyOnce;
    int commitMillis = 200;
    String rotateSize;
    int rotateMinutes;
    boolean compress;
    int keepFiles;
    private String stageName;

    /**
     * Validates all properties.
     *
     * @throws IllegalArgumentException for the first invalid property, with code and next step
     */
    SinkSettings check(final String application, final String stage)
    {
        stageName = application + '/' + stage;
        final List<String> names = columns == null ? null :
            Arrays.stream(columns.split(",")).map(String::strip).filter(name -> !name.isEmpty()).toList();
        if (names != null && names.isEmpty())
        {
            throw wrong("columns", columns, "list properties, separated by commas, or leave it out for all");
        }
        range("commitMillis", commitMillis, 1, MAX_MILLIS);
        range("rotateMinutes", rotateMinutes, 0, MAX_MINUTES);
        range("keepFiles", keepFiles, 0, MAX_FILES);
        return new SinkSettings(stageName, path(stageName, "file", file), names, header,
            separator(stageName, separator),
            timeColumn, kindColumn, exactlyOnce, commitMillis, rotateBytes(), (long)rotateMinutes * MINUTE_MS,
            compress, keepFiles);
    }

    private long rotateBytes()
    {
        if (rotateSize == null)
        {
            return 0;
        }
        final Matcher size = Pattern.compile("(\\d{1,9})([kmgKMG])").matcher(rotateSize.strip());
        if (!size.matches() || size.group(1).matches("0+"))
        {
            throw wrong("rotateSize", rotateSize, "write a size such as 100m or 2g");
        }
        final int shift = 10 * (1 + "kmg".indexOf(size.group(2).toLowerCase(Locale.ROOT)));
        return Long.parseLong(size.group(1)) << shift;
    }

    private void range(final String name, final int value, final int least, final int most)
    {
        if (value < least || value > most)
        {
            throw wrong(name, String.valueOf(value), "use " + least + " to " + most);
        }
    }

    private IllegalArgumentException wrong(final String name, final String value, final String next)
    {
        return wrong(stageName, name, value, next);
    }

    /** The refusal of a property. */
    static IllegalArgumentException wrong(
        final String stageName, final String name, final String value, final String next)
    {
        return new IllegalArgumentException(FileErrorCode.PROPERTY.message("an instance property is " +
            (value == null ? "missing" : "invalid") + ", stage=" + stageName + " name=" + name +
            (value == null ? "" : " value=" + value), next));
    }

    /** A path, relative to the directory of the domain. */
    static Path path(final String stageName, final String name, final String text)
    {
        try
        {
            if (text != null && !text.isBlank())
            {
                return Path.of(System.getProperty("wlevs.domain.home", "")).toAbsolutePath().resolve(text.strip())
                    .normalize();
            }
        }
        catch (final InvalidPathException e)
        {
            // Reported below.
        }
        throw wrong(stageName, name, text, "write a path, absolute or relative to the directory of the domain");
    }

    /** A separator of values: one character, or {@code tab}. */
    static char separator(final String stageName, final String text)
    {
        final String value = text.equals("tab") ? "\t" : text;
        if (value.length() != 1 || "\"\n\r".contains(value))
        {
            throw wrong(stageName, "separator", text, "use one character such as ; or the word tab");
        }
        return value.charAt(0);
    }
}
