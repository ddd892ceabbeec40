package dev.millrace.command;

/** What the command returns to the shell. */
public final class ExitCode
{
    /** Done. */
    public static final int DONE = 0;

    /** The command was understood and failed, or a check of it failed. Read the message. */
    public static final int FAILED = 1;

    /** There is no such instance or application, or it does not answer. Start it, or name another. */
    public static final int NOT_FOUND = 2;

    /** The command line is wrong. Read the help of the command. */
    public static final int USAGE = 64;

    /** Interrupted with Ctrl-C; everything that was started has been stopped. */
    public static final int INTERRUPTED = 130;

    /** What the help says of them. */
    static final String HELP =
        "Exit codes: 0 done, 1 failed, 2 not found or not answering, 64 wrong usage, 130 interrupted.";

    private ExitCode()
    {
    }
}
