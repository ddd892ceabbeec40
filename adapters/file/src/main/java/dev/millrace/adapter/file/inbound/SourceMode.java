package dev.millrace.adapter.file.inbound;

/** Which files a source reads. */
enum SourceMode
{
    /** One file to its end. */
    ONCE,
    /** A file that grows, and its successors. */
    TAIL,
    /** Each new file of a directory. */
    DIRECTORY
}
