package dev.millrace.tuning.harness;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;

/** Shared by the commands of this module: exit codes, wrong usage, Ctrl-C. */
public final class CommandSupport
{
    /** Success. */
    public static final int DONE = 0;

    /** A check failed; the message names it. */
    public static final int FAILED = 1;

    /** The command line is wrong. */
    public static final int USAGE = 64;

    /** Ended by Ctrl-C. */
    public static final int INTERRUPTED = 130;

    private static final int STOP_SECONDS = 10;
    private static final int WIDTH = 120;

    private CommandSupport()
    {
    }

    /** Work that may be interrupted. */
    @FunctionalInterface
    public interface Work
    {
        int run() throws InterruptedException, java.io.IOException;
    }

    /**
     * Parses options and runs a command.
     *
     * @param command   with picocli's annotations
     * @param arguments command line
     * @return exit code
     * @throws Exception of the command
     */
    public static int run(final Object command, final String... arguments) throws Exception
    {
        final CommandLine line = new CommandLine(command);
        line.setUsageHelpWidth(WIDTH);
        line.setExecutionExceptionHandler((failure, ignored, result) ->
        {
            throw failure;
        });
        line.setParameterExceptionHandler((wrong, ignored) ->
        {
            // CMD-0178: an option or argument of the benchmark cannot be used: read its --help
            line.getErr().println("CMD-0178: " + wrong.getMessage());
            line.getErr().println("    hint: " + line.getCommandName() + " --help shows the usage");
            return USAGE;
        });
        return line.execute(arguments);
    }

    /**
     * Runs work on this thread. Ctrl-C interrupts it, and the process waits until the work has released its resources
     * and has reported the end.
     *
     * @param work ends soon after its thread is interrupted
     * @return the result of {@code work}
     */
    public static int interruptible(final Work work) throws InterruptedException, java.io.IOException
    {
        final Thread worker = Thread.currentThread();
        final CountDownLatch ended = new CountDownLatch(1);
        final Thread hook = new Thread(() ->
        {
            worker.interrupt();
            try
            {
                ended.await(STOP_SECONDS, TimeUnit.SECONDS);
            }
            catch (final InterruptedException e)
            {
                Thread.currentThread().interrupt();
            }
        }, "stop");
        Runtime.getRuntime().addShutdownHook(hook);
        try
        {
            return work.run();
        }
        catch (final InterruptedException e)
        {
            // Printed here, since the process ends as soon as the hook knows that the work has ended.
            System.err.println("interrupted");
            throw e;
        }
        finally
        {
            ended.countDown();
            remove(hook);
        }
    }

    private static void remove(final Thread hook)
    {
        try
        {
            Runtime.getRuntime().removeShutdownHook(hook);
        }
        catch (final IllegalStateException alreadyEnding)
        {
            // The hook is running; the latch ends it.
            return;
        }
    }
}
