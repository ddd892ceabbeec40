package dev.millrace.adapter.file.outbound;

import dev.millrace.adapter.common.encode.FormatProperties;
import dev.millrace.adapter.common.property.PropertyCheck;
import dev.millrace.adapter.file.property.FileErrorCode;
import dev.millrace.api.stage.StageContext;
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

    final FormatProperties format = new FormatProperties();
    String file;
    boolean exactlyOnce;
    int commitMillis = 200;
    String rotateSize;
    int rotateMinutes;
    int keepFiles;

    /** For messages about the properties of a stage. */
    static PropertyCheck check(final StageContext context)
    {
        return new PropertyCheck(FileErrorCode.PROPERTY, (context == null ? "application" : context.applicationName()) +
            '/' + (context == null ? "sink" : context.stageId()));
    }

    /**
     * Validates all properties.
     *
     * @param appended what follows the name of the file while rows are appended
     * @param finished what follows the name of a rotated file in the end
     * @throws IllegalArgumentException for the first invalid property, with code and next step
     */
    SinkSettings check(final PropertyCheck check, final String appended, final String finished)
    {
        check.range("commitMillis", commitMillis, 1, MAX_MILLIS);
        check.range("rotateMinutes", rotateMinutes, 0, MAX_MINUTES);
        check.range("keepFiles", keepFiles, 0, MAX_FILES);
        return new SinkSettings(check, new FileNames(check.path("file", file), appended, finished), exactlyOnce,
            commitMillis, rotateSize == null ? 0 : bytes(check, "rotateSize", rotateSize),
            (long)rotateMinutes * MINUTE_MS, keepFiles);
    }

    /** A size. */
    static long bytes(final PropertyCheck check, final String name, final String value)
    {
        final Matcher size = Pattern.compile("(\\d{1,9})([kmgKMG])").matcher(value.strip());
        if (!size.matches() || size.group(1).matches("0+"))
        {
            throw check.wrong(name, value, "write a size such as 100m or 2g");
        }
        final int shift = 10 * (1 + "kmg".indexOf(size.group(2).toLowerCase(Locale.ROOT)));
        return Long.parseLong(size.group(1)) << shift;
    }
}
