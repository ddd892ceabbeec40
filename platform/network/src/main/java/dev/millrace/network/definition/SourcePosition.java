package dev.millrace.network.definition;

/**
 * A position in a file that a user wrote.
 *
 * @param file   name as the user knows it, for example {@code META-INF/spring/signalgen.context.xml}
 * @param line   from 1; 0 when unknown
 * @param column from 1; 0 when unknown
 */
public record SourcePosition(String file, int line, int column)
{
    /** For definitions that were created by a program. */
    public static final SourcePosition NONE = new SourcePosition("-", 0, 0);

    @Override
    public String toString()
    {
        return line == 0 ? file : file + ':' + line + ':' + column;
    }
}
