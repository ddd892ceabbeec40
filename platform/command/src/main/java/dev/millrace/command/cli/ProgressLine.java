package dev.millrace.command.cli;

import java.io.PrintStream;

/** A progress line on the terminal that is overwritten. Prints nothing without a terminal. */
public final class ProgressLine implements AutoCloseable
{
    private static final int WIDTH = 78;

    private final PrintStream screen = "none".equals(System.getProperty("millrace.screen", "none")) ? null : System.err;

    private String shown = "";

    public void show(final String text)
    {
        if (screen != null && !text.equals(shown))
        {
            screen.printf("\r%-" + WIDTH + "." + WIDTH + "s", text);
            screen.flush();
            shown = text;
        }
    }

    /** Clears the line for permanent output. */
    public void clear()
    {
        show("");
        if (screen != null)
        {
            screen.print('\r');
            screen.flush();
        }
    }

    @Override
    public void close()
    {
        clear();
    }
}
