package dev.millrace.adapter.file.property;

/** Error codes of this adapter. The module's README.md describes what to do about each. */
public enum FileErrorCode
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
    /** A rotated file cannot be compressed or deleted. */
    ROTATED("FIL-0107"),
    /** Lines above the limit were left out. */
    OMITTED("FIL-0108");

    private final String text;

    FileErrorCode(final String text)
    {
        this.text = text;
    }

    /** The code as shown to users. */
    public String text()
    {
        return text;
    }

    /** Formats a message: code, fact, next step. */
    public String message(final String fact, final String next)
    {
        return text + ' ' + fact + "; " + next;
    }
}
