package dev.millrace.journal;

/** When the records of a journal are written to the disk. All modes survive the death of the process. */
public enum SyncMode
{
    /** The operating system decides; a crash of the machine loses what it has not written yet. */
    NONE,
    /** At a fixed interval; a crash of the machine loses at most the records of one interval. */
    INTERVAL,
    /** After each record; a crash of the machine loses nothing that was appended. */
    BATCH
}
