package dev.millrace.adapter.file.property;

import dev.millrace.adapter.common.property.ErrorCode;

/** Error codes of this adapter. The module's README.md describes what to do about each. */
public enum FileErrorCode implements ErrorCode
{
    /** An instance property is missing or out of range. */
    PROPERTY("FIL-0101"),
    /** A file or directory cannot be opened. */
    OPEN("FIL-0102"),
    /** Rows cannot be written at present. */
    WRITE("FIL-0103"),
    /** The disk has not confirmed rows; only a restart makes sure which ones it contains. */
    SYNC("FIL-0104"),
    /** The stored positions do not match the file. */
    POSITIONS("FIL-0105"),
    /** Events do not have the columns of the lines. */
    EVENTS("FIL-0106"),
    /** A rotated file cannot be compressed, converted or deleted. */
    ROTATED("FIL-0107"),
    /** Lines above the limit were left out. */
    OMITTED("FIL-0108"),
    /** A value does not fit its column. */
    VALUE("FIL-0109"),
    /** A file or directory that a source reads is missing or cannot be opened. */
    MISSING("FIL-0111"),
    /** A file cannot be read further. */
    READ("FIL-0112"),
    /** The stored positions of a source cannot be used. */
    SOURCE_POSITIONS("FIL-0113"),
    /** The positions of a source cannot be written at present. */
    POSITIONS_WRITE("FIL-0114"),
    /** Rows that were not received cannot be read again. */
    LOST("FIL-0115"),
    /** A file that was read cannot be moved or deleted. */
    AFTER_READ("FIL-0116"),
    /** The event type of a source is unknown or not that of its channel. */
    TYPE("FIL-0117"),
    /** A source has no listener. */
    NO_LISTENER("FIL-0118");

    private final String text;

    FileErrorCode(final String text)
    {
        this.text = text;
    }

    @Override
    public String text()
    {
        return text;
    }
}
