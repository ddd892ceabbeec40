package dev.millrace.adapter.file.inbound;

import dev.millrace.adapter.file.inbound.input.InputFile;
import dev.millrace.adapter.file.inbound.position.StreamFile;
import java.io.Closeable;
import java.io.IOException;
import java.util.zip.ZipException;

/** The file that a source reads at present, as part of its stream. Confined to the source's thread. */
interface OpenFile extends Closeable
{
    /** What {@link #begin} has found. */
    enum Beginning
    {
        /** Rows follow. */
        BEGUN,
        /** The header is not complete yet. */
        WAITING,
        /** The file ends before the position at which it continues. */
        TRUNCATED
    }

    /** Why {@link #read} has returned. */
    enum Progress
    {
        /** There may be more rows at once. */
        MORE,
        /** The next row is not due yet. */
        NOT_DUE,
        /** All that the file has at present was read. */
        AT_END
    }

    InputFile input();

    StreamFile part();

    /** Goes to the position at which reading continues. May be called again. */
    Beginning begin() throws IOException;

    /**
     * Reads about as many records as a batch has rows, or fewer if there is nothing to do at present.
     *
     * @throws ZipException         if the file is damaged; also {@link java.io.EOFException} and
     *                              {@link dev.millrace.adapter.file.parquet.RefusedFileException}
     */
    Progress read() throws IOException;

    /** Rejects the rest of a file that is damaged. */
    void rejectRest(IOException cause);

    /** Nothing will follow that was not read: the last record ends with the file. */
    void setEnd();

    boolean isEnd();

    /** Whether rows are being read, so that the position and line are right. */
    boolean hasBegun();

    /** The position after the last record that was read. */
    long offset();

    /** The number of the next line or row, from 1. */
    long line();

    /** The position at which reading can continue later. */
    long resumeOffset();
}
