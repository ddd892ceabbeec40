package dev.millrace.loadgen;

/** A failure that the user can correct: the message contains a code, the location and the next step. */
public final class GeneratorException extends Exception
{
    /** Exit code: settings or data file are wrong. */
    public static final int EXIT_SETTINGS = 2;
    /** Exit code: the server cannot be reached or refuses the stream. */
    public static final int EXIT_CONNECT = 3;
    /** Exit code: a connection was lost while sending. */
    public static final int EXIT_LOST = 4;

    private static final long serialVersionUID = 1L;

    private final int exitCode;

    GeneratorException(final int exitCode, final String message)
    {
        super(message);
        this.exitCode = exitCode;
    }

    GeneratorException(final int exitCode, final String message, final Throwable cause)
    {
        super(message, cause);
        this.exitCode = exitCode;
    }

    /**
     * The exit code of the process.
     *
     * @return one of the exit codes of this class
     */
    public int exitCode()
    {
        return exitCode;
    }
}
