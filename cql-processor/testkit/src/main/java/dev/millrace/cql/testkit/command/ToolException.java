package dev.millrace.cql.testkit.command;

/** Something that the user can put right; shown without stack trace. */
final class ToolException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    ToolException(final String code, final String text, final String hint)
    {
        super(code + ": " + text + "\n    hint: " + hint);
    }
}
