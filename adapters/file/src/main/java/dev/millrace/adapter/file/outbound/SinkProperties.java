package dev.millrace.adapter.file.outbound;

import dev.millrace.adapter.common.encode.FormatProperties;
import dev.millrace.adapter.common.encode.FormatSettings;
import dev.millrace.adapter.common.property.PropertyCheck;
import dev.millrace.adapter.file.property.FileErrorCode;
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
    boolean compress;
    int keepFiles;
    private PropertyCheck check;

    /**
     * Validates all properties.
     *
     * @throws IllegalArgumentException for the first invalid property, with code and next step
     */
    SinkSettings check(final String application, final String stage)
    {
        check = new PropertyCheck(FileErrorCode.PROPERTY, application + '/' + stage);
        final FormatSettings checked = format.check(check);
        check.range("commitMillis", commitMillis, 1, MAX_MILLIS);
        check.range("rotateMinutes", rotateMinutes, 0, MAX_MINUTES);
        check.range("keepFiles", keepFiles, 0, MAX_FILES);
        return new SinkSettings(check, check.path("file", file), checked, exactlyOnce,
            commitMillis, rotateBytes(), (long)rotateMinutes * MINUTE_MS, compress, keepFiles);
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
            throw check.wrong("rotateSize", rotateSize, "write a size such as 100m or 2g");
        }
        final int shift = 10 * (1 + "kmg".indexOf(size.group(2).toLowerCase(Locale.ROOT)));
        return Long.parseLong(size.group(1)) << shift;
    }
}
