package dev.millrace.adapter.file.outbound;

import dev.millrace.adapter.file.format.FormatProperties;
import dev.millrace.adapter.file.format.FormatSettings;
import dev.millrace.adapter.file.property.InstanceProperty;
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
    private String stageName;

    /**
     * Validates all properties.
     *
     * @throws IllegalArgumentException for the first invalid property, with code and next step
     */
    SinkSettings check(final String application, final String stage)
    {
        stageName = application + '/' + stage;
        final FormatSettings checked = format.check(stageName);
        range("commitMillis", commitMillis, 1, MAX_MILLIS);
        range("rotateMinutes", rotateMinutes, 0, MAX_MINUTES);
        range("keepFiles", keepFiles, 0, MAX_FILES);
        return new SinkSettings(stageName, InstanceProperty.path(stageName, "file", file), checked, exactlyOnce,
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
            throw wrong("rotateSize", rotateSize, "write a size such as 100m or 2g");
        }
        final int shift = 10 * (1 + "kmg".indexOf(size.group(2).toLowerCase(Locale.ROOT)));
        return Long.parseLong(size.group(1)) << shift;
    }

    private void range(final String name, final int value, final int least, final int most)
    {
        InstanceProperty.range(stageName, name, value, least, most);
    }

    private IllegalArgumentException wrong(final String name, final String value, final String next)
    {
        return InstanceProperty.wrong(stageName, name, value, next);
    }
}
