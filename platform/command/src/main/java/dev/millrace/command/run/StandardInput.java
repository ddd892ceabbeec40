package dev.millrace.command.run;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;

/** The standard input, whose end another thread can bring about while it is read. Thread-safe. */
final class StandardInput extends InputStream
{
    private final InputStream in;
    private Thread reader;
    private boolean isEnded;

    StandardInput()
    {
        // Reads of a channel can be interrupted, those of System.in cannot.
        this(Channels.newInputStream(new FileInputStream(FileDescriptor.in).getChannel()));
    }

    /** @param in stream of an interruptible channel */
    StandardInput(final InputStream in)
    {
        this.in = in;
    }

    /** Ends the input now. */
    synchronized void end()
    {
        isEnded = true;
        if (reader != null)
        {
            reader.interrupt();
        }
    }

    private synchronized boolean begin()
    {
        reader = isEnded ? null : Thread.currentThread();
        return !isEnded;
    }

    private synchronized void done()
    {
        reader = null;
        if (isEnded)
        {
            // The interrupt has served its purpose, and would close the files of outputs.
            Thread.interrupted();
        }
    }

    @Override
    public int read() throws IOException
    {
        final byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(final byte[] target, final int from, final int length) throws IOException
    {
        if (!begin())
        {
            return -1;
        }
        try
        {
            return in.read(target, from, length);
        }
        catch (final ClosedChannelException ended)
        {
            return -1;
        }
        finally
        {
            done();
        }
    }
}
