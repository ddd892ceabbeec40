package dev.millrace.launcher;

/** Thrown when an instance cannot start; the message is the only information that the user gets. */
final class LaunchException extends Exception
{
    private static final long serialVersionUID = 1L;

    private final int exitCode;

    LaunchException(final int exitCode, final String message, final Throwable cause)
    {
        super(message, cause);
        this.exitCode = exitCode;
    }

    LaunchException(final int exitCode, final String message)
    {
        this(exitCode, message, null);
    }

    /** One of the constants of {@link ExitCode}. */
    int exitCode()
    {
        return exitCode;
    }
}
