package dev.millrace.adapter.file.outbound;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.TimeUnit;

/**
 * Waits for the disk, stores the numbers of rows, and rotates the file; has a thread that does so periodically.
 * Thread-safe.
 */
final class DiskCommitter
{
    private static final long END_MS = TimeUnit.SECONDS.toMillis(60);

    private final SinkSettings settings;
    private final RowAppender appender;
    private final Thread thread;
    /** Held while positions are stored or a file is rotated; taken before the monitor of the appender. */
    private final Object commit = new Object();

    DiskCommitter(final SinkSettings settings, final RowAppender appender)
    {
        this.settings = settings;
        this.appender = appender;
        thread = new Thread(this::run, "millrace-file-" + settings.stageName());
        thread.setDaemon(true);
    }

    void start()
    {
        thread.start();
    }

    private void run()
    {
        try
        {
            while (appender.awaitWork())
            {
                appender.awaitEnd(settings.commitMillis());
                commit();
                if (appender.isDue())
                {
                    rotate();
                }
            }
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
    }

    /** Rotates the file if it is due. */
    void rotate()
    {
        synchronized (commit)
        {
            appender.rotate(false);
        }
    }

    /** Waits until the disk contains the rows, then stores their numbers. */
    private void commit()
    {
        synchronized (commit)
        {
            final RowAppender.Unconfirmed rows = appender.takeUnconfirmed();
            if (rows == null)
            {
                return;
            }
            try
            {
                rows.channel().force(false);
                if (settings.exactlyOnce())
                {
                    rows.positions().write(settings.positions());
                }
                appender.confirm(rows.positions());
            }
            catch (final ClosedChannelException e)
            {
                // The sink has ended, which has committed.
            }
            catch (final IOException e)
            {
                appender.fail(e);
            }
        }
    }

    /** Ends the thread, and confirms the last rows, also those of a file that can only be read after its rotation. */
    void end() throws InterruptedException
    {
        appender.end();
        thread.join(END_MS);
        commit();
        if (settings.names().isConverted())
        {
            synchronized (commit)
            {
                appender.rotate(true);
            }
            commit();
        }
    }
}
