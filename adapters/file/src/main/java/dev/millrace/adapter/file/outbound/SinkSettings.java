package dev.millrace.adapter.file.outbound;

import dev.millrace.adapter.common.property.PropertyCheck;
import java.nio.file.Path;

/**
 * The checked instance properties of a sink. Immutable.
 *
 * @param check        for messages about properties
 * @param names        of its files
 * @param exactlyOnce  whether the numbers of rows are stored
 * @param commitMillis time between two writes to the disk
 * @param rotateBytes  size from which a file is rotated; 0 = never
 * @param rotateMillis age from which a file is rotated; 0 = never
 * @param keepFiles    number of rotated files that are kept; 0 for all
 */
record SinkSettings(PropertyCheck check, FileNames names, boolean exactlyOnce, int commitMillis, long rotateBytes,
    long rotateMillis, int keepFiles)
{
    /** Application and stage, for messages. */
    String stageName()
    {
        return check.stageName();
    }

    /** The file to which rows are appended. */
    Path file()
    {
        return names.current();
    }

    /** The file with the stored numbers. */
    Path positions()
    {
        return names.positions();
    }
}
