package dev.millrace.cql.testkit.command;

/** An error that the user can correct; shown without stack trace. */
final class ToolException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    private final boolean isUsage;

    ToolException(final String code, final String text, final String hint)
    {
        this(code, text, hint, false);
    }

    private ToolException(final String code, final String text, final String hint, final boolean isUsage)
    {
        super(code + ": " + text + (hint.isEmpty() ? "" : "\n    hint: " + hint));
        this.isUsage = isUsage;
    }

    /** An invalid option. */
    static ToolException usage(final String code, final String text, final String hint)
    {
        return new ToolException(code, text, hint, true);
    }

    /** Whether the command line itself is invalid, not something that it refers to. */
    boolean isUsage()
    {
        return isUsage;
    }
}
