package dev.millrace.cql.processor.simulation;

/** An error of the simulated storage that a simulation must find. */
enum Flaw
{
    NONE,
    /** A journal reports records as synchronized that are not on the disk. */
    UNSYNCED_BATCHES,
    /** A reader of a journal leaves out some records. */
    SKIPPED_RECORDS,
    /** A journal deletes records that the older snapshot needs. */
    DELETED_RECORDS,
    /** A receiver stores the numbers of rows before it stores the rows. */
    EARLY_NUMBERS
}
