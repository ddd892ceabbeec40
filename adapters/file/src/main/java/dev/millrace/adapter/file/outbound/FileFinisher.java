package dev.millrace.adapter.file.outbound;

import dev.millrace.adapter.file.property.FileErrorCode;
import dev.millrace.api.condition.StageConditions;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** Has a thread that gives rotated files their last form. Thread-safe. */
final class FileFinisher
{
    private static final long END_MS = TimeUnit.SECONDS.toMillis(60);

    private final SinkSettings settings;
    private final RowAppender appender;
    private final StageConditions conditions;
    private final RotatedFiles rotated;
    private final Thread thread;

    /** @param conversion {@code null} if rotated files keep their form */
    FileFinisher(final SinkSettings settings, final RowAppender appender, final StageConditions conditions,
        final FileConversion conversion)
    {
        this.settings = settings;
        this.appender = appender;
        this.conditions = conditions;
        rotated = new RotatedFiles(settings, conversion);
        thread = new Thread(this::run, "millrace-file-finish-" + settings.stageName());
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
            while (appender.awaitUntidy())
            {
                tidy();
            }
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
    }

    private void tidy()
    {
        final int last = appender.takeUntidy();
        if (last < 0)
        {
            return;
        }
        try
        {
            rotated.tidy(last);
            conditions.clear(FileErrorCode.ROTATED.text());
        }
        catch (final IOException | RuntimeException | OutOfMemoryError e)
        {
            conditions.raise(FileErrorCode.ROTATED.text(), FileErrorCode.ROTATED.message("a rotated file cannot be " +
                "compressed, converted or deleted, stage=" + settings.stageName() + " reason=" + e,
                "free space or correct the permissions: it is tried again after the next rotation"));
        }
        appender.tidied(last);
    }

    /** Ends the thread; called after the end of the appender. */
    void end() throws InterruptedException
    {
        thread.join(END_MS);
        if (thread.isAlive())
        {
            // Another sink must not find it at work. The next start begins the file again.
            thread.interrupt();
            thread.join();
        }
        else if (settings.names().isConverted())
        {
            tidy();
        }
    }
}
