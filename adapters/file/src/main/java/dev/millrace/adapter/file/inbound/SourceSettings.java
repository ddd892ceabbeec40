package dev.millrace.adapter.file.inbound;

import dev.millrace.adapter.common.property.PropertyCheck;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.List;

/**
 * The checked instance properties of a source. Immutable.
 *
 * @param check         for messages about properties
 * @param path          of the file or directory, absolute
 * @param positions     file with the stored positions
 * @param columns       names of the properties to read; {@code null} for all
 * @param nullText      a further representation of null in CSV; {@code null} for none
 * @param isMissingNull whether missing fields are null instead of a reason to reject the row
 * @param timeColumn    property that determines when a row is due; {@code null} for none
 * @param timeUnitNs    nanoseconds per unit of that property
 * @param speed         how many times as fast as recorded; 0 = as fast as possible
 * @param repeat        how often a file is read; 0 = without end
 * @param isFromEnd     whether a followed file is read from its end
 * @param moveTo        directory for files that were read; {@code null} unless they are moved
 */
record SourceSettings(PropertyCheck check, SourceMode mode, Path path, String pattern, Path positions,
    List<String> columns, boolean hasHeader, char separator, String nullText, boolean isMissingNull, Charset charset,
    int maxLineBytes, String timeColumn, long timeUnitNs, double speed, int repeat, boolean isFromEnd,
    AfterRead afterRead, Path moveTo, int pollMillis, int maxRetryMillis)
{
    /** Application and stage, for messages. */
    String stageName()
    {
        return check.stageName();
    }
}
