package dev.millrace.adapter.file.outbound;

import dev.millrace.adapter.common.encode.FormatSettings;
import dev.millrace.adapter.common.property.PropertyCheck;
import java.nio.file.Path;

/**
 * The checked instance properties of a sink. Immutable.
 *
 * @param check        for messages about properties
 * @param file         absolute
 * @param format       how rows are written as lines
 * @param exactlyOnce  whether the numbers of rows are stored
 * @param commitMillis time between two writes to the disk
 * @param rotateBytes  size from which a file is rotated; 0 = never
 * @param rotateMillis age from which a file is rotated; 0 = never
 * @param compress     whether rotated files are compressed
 * @param keepFiles    number of rotated files that are kept; 0 for all
 */
record SinkSettings(PropertyCheck check, Path file, FormatSettings format, boolean exactlyOnce, int commitMillis,
    long rotateBytes, long rotateMillis, boolean compress, int keepFiles)
{
    /** Application and stage, for messages. */
    String stageName()
    {
        return check.stageName();
    }

    /** The file with the stored numbers. */
    Path positions()
    {
        return file.resolveSibling(file.getFileName() + ".positions");
    }

    /** The name of a rotated file: {@code trades-000001.csv}. */
    Path rotated(final int number)
    {
        final String name = file.getFileName().toString();
        final int dot = name.lastIndexOf('.');
        final String base = dot > 0 ? name.substring(0, dot) : name;
        return file.resolveSibling(String.format("%s-%06d%s", base, number, name.substring(base.length())));
    }

    /** The same file, compressed. */
    Path compressed(final int number)
    {
        final Path plain = rotated(number);
        return plain.resolveSibling(plain.getFileName() + ".gz");
    }
}
