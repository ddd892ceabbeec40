package dev.millrace.command.view;

import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Option;

/**
 * Option of commands that print repeatedly until Ctrl-C, which ends the process with exit code 130. On a terminal, each
 * block overwrites the previous one; otherwise blocks are printed one after the other.
 */
public final class WatchOption
{
    private static final int MAX_SECONDS = 3_600;
    private static final String HOME = "\u001b[H";
    private static final String END_OF_LINE = "\u001b[K";
    private static final String END_OF_SCREEN = "\u001b[J";

    @Option(names = "--watch", description = "Prints repeatedly until Ctrl-C.")
    private boolean watch;

    @Option(names = "--interval", paramLabel = "SECONDS", defaultValue = "2",
        description = "With --watch: interval. Default: ${DEFAULT-VALUE}.")
    private int seconds;

    /** Prints a block. */
    @FunctionalInterface
    public interface Block
    {
        /**
         * Prints the block once.
         *
         * @return exit code
         * @throws IOException when files cannot be read
         */
        int print(PrintWriter out) throws IOException, InterruptedException;
    }

    /** Whether the output repeats. */
    public boolean isOn()
    {
        return watch;
    }

    /**
     * Prints a block once, or until the process is interrupted. With repetition, an instance that does not respond is
     * shown as such.
     *
     * @return exit code
     * @throws IOException when files cannot be read
     */
    public int show(final PrintWriter out, final Block block) throws IOException, InterruptedException
    {
        if (!watch)
        {
            return block.print(out);
        }
        if (seconds < 1 || seconds > MAX_SECONDS)
        {
            throw new CommandException(ExitCode.USAGE, "CMD-0202", "interval is out of range, interval=" + seconds,
                "specify 1 to " + MAX_SECONDS + " seconds");
        }
        final boolean isTerminal = "all".equals(System.getProperty("millrace.screen", "none"));
        while (true)
        {
            final String text = rendered(block);
            out.print(isTerminal ? overwriting(text) : text);
            out.flush();
            TimeUnit.SECONDS.sleep(seconds);
        }
    }

    private static String rendered(final Block block) throws IOException, InterruptedException
    {
        final StringWriter text = new StringWriter();
        final PrintWriter lines = new PrintWriter(text);
        try
        {
            block.print(lines);
        }
        catch (final CommandException e)
        {
            lines.println(LocalTime.now().truncatedTo(ChronoUnit.SECONDS) + " " + e.getMessage());
        }
        lines.flush();
        return text.toString();
    }

    /** Does not clear the screen before rewriting, to avoid flicker. */
    static String overwriting(final String text)
    {
        return HOME + text.replace("\n", END_OF_LINE + "\n") + END_OF_SCREEN;
    }
}
