package dev.millrace.journal;

/** Codes of the problems of journals. Stable, because users search for them. */
public final class JournalErrorCode
{
    /** Another process or application uses the journal: stop it, or configure another directory. */
    public static final String IN_USE = "JNL-0001";
    /** The directory cannot be created, read or written: correct its path or permissions. */
    public static final String DIRECTORY = "JNL-0002";
    /** The disk or the journal is full: free space, or raise the maximum. */
    public static final String FULL = "JNL-0003";
    /** Bytes of a record are missing or were changed: continue without the later records, or restore the files. */
    public static final String DAMAGED = "JNL-0004";
    /** A file between others is missing: restore it, or continue without the later records. */
    public static final String MISSING_FILE = "JNL-0005";
    /** The journal was written by a newer version: start that version. */
    public static final String NEWER_FORMAT = "JNL-0006";
    /** The journal belongs to another owner: configure another directory. */
    public static final String OTHER_OWNER = "JNL-0007";
    /** The journal has failed, or is closed: read the earlier message. */
    public static final String FAILED = "JNL-0008";
    /** A record is larger than the maximum: send fewer rows per batch. */
    public static final String TOO_LARGE = "JNL-0009";

    /** A snapshot cannot be written or is damaged: an older one is used; check the disk. */
    public static final String SNAPSHOT = "JNL-0010";

    /** The next step after a damage, for messages. */
    static final String REPAIR_HINT =
        "; restore the file from a copy, or let millrace journal repair remove what follows";

    private JournalErrorCode()
    {
    }
}
