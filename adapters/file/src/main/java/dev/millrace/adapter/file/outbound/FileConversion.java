package dev.millrace.adapter.file.outbound;

import java.io.IOException;
import java.nio.file.Path;

/** Writes the last form of a rotated file. Confined to the thread that finishes files. */
interface FileConversion
{
    /**
     * Writes the last form.
     *
     * @param to replaced if it exists
     */
    void convert(Path from, Path to) throws IOException;
}
