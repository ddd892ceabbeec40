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
    private final String properties;

    GeneratorException(final int exitCode, final String message)
    {
        this(exitCode, message, (String)null);
    }

    /**
     * @param properties names and types of the server's properties if it wants other types, else {@code null}
     */
    GeneratorException(final int exitCode, final String message, final String properties)
    {
        super(message);
        this.exitCode = exitCode;
        this.properties = properties;
    }

    GeneratorException(final int exitCode, final String message, final Throwable cause)
    {
        super(message, cause);
        this.exitCode = exitCode;
        properties = null;
    }

    /** Names and types of the server's properties if it wants other types than the inferred ones, else {@code null}. */
    String properties()
    {
        return properties;
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
