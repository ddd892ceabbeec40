package dev.millrace.adapter.file.inbound;

/** The treatment of a file of a directory when its rows were received. */
enum AfterRead
{
    /** It stays. */
    KEEP,
    /** It is deleted. */
    DELETE,
    /** It is moved to another directory. */
    MOVE
}
