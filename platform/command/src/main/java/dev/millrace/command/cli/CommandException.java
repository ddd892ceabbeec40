package dev.millrace.command.cli;

/** Ends a command with a message for the user: code, fact, hint. */
public final class CommandException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    private final int exitCode;

    /**
     * @param exitCode one of {@link ExitCode}
     * @param code     stable code, for example {@code CMD-0101}
     * @param text     lower-case fact with {@code name=value} pairs
     * @param hint     the next step; may be empty
     */
    public CommandException(final int exitCode, final String code, final String text, final String hint)
    {
        super(code + ": " + text + (hint.isEmpty() ? "" : "\n    hint: " + hint));
        this.exitCode = exitCode;
    }

    /**
     * Ends a command with a message of the server.
     *
     * @param exitCode one of {@link ExitCode}
     * @param message  complete message
     */
    public CommandException(final int exitCode, final String message)
    {
        super(message);
        this.exitCode = exitCode;
    }

    /** Returns the exit code of the process, one of {@link ExitCode}. */
    public int exitCode()
    {
        return exitCode;
    }
}
