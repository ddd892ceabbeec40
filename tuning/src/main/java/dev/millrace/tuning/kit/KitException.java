package dev.millrace.tuning.kit;

/** Ends the command with a message for the user: code, fact, hint. */
final class KitException extends RuntimeException
{
    /** The command was understood and failed. */
    static final int FAILED = 1;
    /** Nobody answers. */
    static final int NOT_FOUND = 2;
    /** The command line is wrong. */
    static final int USAGE = 64;

    private static final long serialVersionUID = 1L;

    private final int exitCode;

    /**
     * Ends the command.
     *
     * @param exitCode of the process
     * @param code     stable
     * @param text     lower-case fact with {@code name=value} pairs
     * @param hint     what to do next
     */
    KitException(final int exitCode, final String code, final String text, final String hint)
    {
        super(code + ": " + text + "\n    hint: " + hint);
        this.exitCode = exitCode;
    }

    int exitCode()
    {
        return exitCode;
    }
}
