package dev.millrace.adapter.file.outbound;

import java.io.IOException;
import java.nio.file.Path;

/** Makes the last form of a rotated file. Used by one thread. */
interface FileConversion
{
    /**
     * Writes the last form.
     *
     * @param to replaced if it exists
     */
    void convert(Path from, Path to) throws IOException;
}
