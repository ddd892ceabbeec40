package dev.millrace.command.cli;

/** Exit codes of the command. */
public final class ExitCode
{
    /** Success. */
    public static final int DONE = 0;

    /** The command, or a check in it, failed. Read the message. */
    public static final int FAILED = 1;

    /** There is no such instance or application, or it does not respond. Start it, or specify another one. */
    public static final int NOT_FOUND = 2;

    /** A comparison has found differences. The description of each command that compares names it. */
    public static final int DIFFERENT = 3;

    /** The command line is invalid. Read the help of the command. */
    public static final int USAGE = 64;

    /** Interrupted with Ctrl-C; everything that was started has been stopped. */
    public static final int INTERRUPTED = 130;

    /** Description of the exit codes in the help. */
    public static final String HELP =
        "Exit codes: 0 success, 1 failure, 2 not found or no response, 64 invalid usage, 130 interrupted.";

    private ExitCode()
    {
    }
}
