package dev.millrace.tuning.kit;

/** Ends the command with a message for the user: code, fact, hint. */
final class KitException extends RuntimeException
{
    /** The command line was valid, but the command failed. */
    static final int FAILED = 1;
    /** No server answers. */
    static final int NOT_FOUND = 2;
    /** The command line is wrong. */
    static final int USAGE = 64;

    private static final long serialVersionUID = 1L;

    private final int exitCode;

    /**
     * @param exitCode of the process
     * @param code     stable
     * @param text     lower-case fact with {@code name=value} pairs
     * @param hint     next step
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
