package dev.millrace.adapter.file.inbound;

import dev.millrace.adapter.common.source.Outage;
import dev.millrace.adapter.common.source.RowBatch;
import dev.millrace.adapter.file.inbound.input.InputFile;
import dev.millrace.adapter.file.inbound.position.StreamFile;
import dev.millrace.adapter.file.inbound.position.StreamPositions;
import dev.millrace.adapter.file.inbound.select.FileSelector;
import dev.millrace.adapter.file.parquet.RefusedFileException;
import dev.millrace.adapter.file.property.FileErrorCode;
import dev.millrace.api.event.Producers;
import dev.millrace.api.stage.EventBatchSender;
import dev.millrace.api.stage.SequencedSink;
import dev.millrace.api.time.Clock;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.ZipException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the files of a source one after the other, and stores positions. Confined to the source's thread, except
 * {@link #stop}.
 */
final class SourceLoop
{
    private static final Logger LOG = LoggerFactory.getLogger(SourceLoop.class);
    private static final long CHECKPOINT_NS = TimeUnit.SECONDS.toNanos(1);
    /** Maximum time of a sleep, after which the clock is read again, because it need not be that of the machine. */
    private static final long MAX_SLEEP_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private final SourceSettings settings;
    private final StreamPositions positions;
    private final FileSelector selector;
    private final FileReader reader;
    private final RowIntake intake;
    private final RowBatch rows;
    private final ReplayPace pace;
    private final EventBatchSender sender;
    private final SourceCounters counters;
    private final Outage outage;
    private final ReadFiles readFiles;
    private final Clock clock;
    private final String producer;
    private boolean isNumbered;
    /** The number up to which files were read since the start. */
    private long readNumber;
    private boolean hasRun;
    private OpenFile current;
    private long checkpointNs;
    private volatile boolean isStopping;
    private volatile Thread thread;

    /**
     * @param pace     {@code null} if rows are due at once
     * @param producer name of the source, the same after a restart
     */
    SourceLoop(final SourceSettings settings, final StreamPositions positions, final FileSelector selector,
        final FileReader reader, final RowIntake intake, final RowBatch rows, final ReplayPace pace,
        final EventBatchSender sender, final SourceCounters counters, final Outage outage,
        final ReadFiles readFiles, final Clock clock, final String producer)
    {
        this.settings = settings;
        this.positions = positions;
        this.selector = selector;
        this.reader = reader;
        this.intake = intake;
        this.rows = rows;
        this.pace = pace;
        this.sender = sender;
        this.counters = counters;
        this.outage = outage;
        this.readFiles = readFiles;
        this.clock = clock;
        this.producer = producer;
    }

    /** Lets {@link #run} return soon. Any thread may call it. */
    void stop()
    {
        isStopping = true;
        LockSupport.unpark(thread);
    }

    /** Lets {@link #run} be called again. */
    void allowRun()
    {
        isStopping = false;
    }

    /** Reads until it is stopped or has read everything. */
    void run()
    {
        thread = Thread.currentThread();
        if (pace != null)
        {
            pace.restart();
        }
        boolean isFinished = false;
        boolean isResumed = false;
        while (!isStopping && !isFinished)
        {
            try
            {
                if (!isResumed)
                {
                    resume();
                    isResumed = true;
                }
                isFinished = !step();
            }
            catch (final PositionException e)
            {
                failed(FileErrorCode.POSITIONS_WRITE, "the positions of the source cannot be written, stage=" +
                    settings.stageName() + " file=" + settings.positions() + " reason=" + e.getCause(),
                    "free space or correct the permissions: the source waits");
            }
            catch (final IOException e)
            {
                final boolean isOpen = current != null;
                failed(isOpen ? FileErrorCode.READ : FileErrorCode.MISSING, (isOpen ? "a file cannot be read further" :
                    "a file or directory cannot be opened") + ", stage=" + settings.stageName() + " path=" +
                    (isOpen ? current.input().path() : settings.path()) + " reason=" + e,
                    "correct the cause: the source tries again");
            }
        }
        counters.finished(isFinished);
        end();
    }

    private void failed(final FileErrorCode code, final String fact, final String next)
    {
        release();
        sleepMillis(outage.failed(code, code.message(fact, next)));
    }

    /** Sends the last rows and stores the position. */
    private void end()
    {
        rows.flush();
        try
        {
            checkpoint();
        }
        catch (final IOException e)
        {
            LOG.warn(FileErrorCode.POSITIONS_WRITE.message("the last position of the source was not written, stage=" +
                settings.stageName() + " reason=" + e, "some rows may be sent again"));
        }
        release();
    }

    /** Closes the file, and lets it be read again from the first row that was not sent. */
    private void release()
    {
        rows.flush();
        final OpenFile file = current;
        current = null;
        if (file != null)
        {
            positions.repeat(file.part(), file.resumeOffset());
            close(file);
        }
    }

    private void close(final OpenFile file)
    {
        try
        {
            file.close();
        }
        catch (final IOException e)
        {
            LOG.warn("a file was not closed properly, file={} reason={}", file.input().path(), e.toString());
        }
    }

    /** Finds out after which row to continue. */
    private void resume() throws IOException
    {
        final long received = sender.receivedFrom(producer);
        isNumbered = received != SequencedSink.NOT_STORED;
        final int id = isNumbered ? Producers.id(producer) : 0;
        if (isNumbered && id == 0)
        {
            throw new IllegalStateException(FileErrorCode.SOURCE_POSITIONS.message("more than " + Producers.MAX +
                " producers since the start, stage=" + settings.stageName(), "restart the server"));
        }
        rows.number(id, received);
        readNumber = received;
        try
        {
            if (isNumbered)
            {
                counters.acknowledged(received);
                final String missing = positions.resumeAfter(received);
                if (missing != null)
                {
                    lost("the positions of the rows that follow are not stored", missing);
                }
            }
            else if (!hasRun && settings.mode() == SourceMode.ONCE)
            {
                positions.discard();
            }
            else if (!hasRun)
            {
                positions.resumeAfterSent();
            }
        }
        catch (final IOException e)
        {
            throw new PositionException(e);
        }
        catch (final IllegalStateException e)
        {
            throw new IllegalStateException(FileErrorCode.SOURCE_POSITIONS.message(e.getMessage() + ", stage=" +
                settings.stageName() + " file=" + settings.positions(), "restore the file; or uninstall the " +
                "application, which deletes its state, and install it again"), e);
        }
        hasRun = true;
    }

    private void lost(final String fact, final String detail)
    {
        counters.fileLost();
        LOG.warn(FileErrorCode.LOST.message(fact + ", stage=" + settings.stageName() + ' ' + detail,
            "rows may be missing: do not delete or truncate files before their rows were received"));
    }

    /** Reads some records, or waits; returns false if everything was read. */
    private boolean step() throws IOException
    {
        if (current == null && !open())
        {
            outage.ended();
            checkpointIfDue();
            if (selector.isFinished())
            {
                return false;
            }
            sleepMillis(settings.pollMillis());
            return true;
        }
        if (current == null)
        {
            return true;
        }
        try
        {
            switch (current.begin())
            {
                case BEGUN -> read();
                case WAITING -> atEnd();
                default -> truncated();
            }
        }
        catch (final ZipException | EOFException | RefusedFileException e)
        {
            // Lines without compression cannot be damaged in this way.
            current.rejectRest(e);
            endFile(true);
        }
        checkpointIfDue();
        outage.ended();
        return true;
    }

    /** Opens the next file; returns false if no file is available. */
    private boolean open() throws IOException
    {
        final StreamFile repeated = positions.repeated();
        if (repeated != null)
        {
            reopen(repeated);
            return true;
        }
        final FileSelector.Candidate next = selector.next();
        if (next == null)
        {
            return false;
        }
        final InputFile input = reader.open(next.path());
        try
        {
            final StreamFile part = positions.begin(input, next.offset(), next.pass());
            current = reader.begin(input, part, next.offset());
        }
        catch (final IOException e)
        {
            input.close();
            throw new PositionException(e);
        }
        selector.opened();
        if (pace != null && next.pass() > 1)
        {
            pace.restart();
        }
        return true;
    }

    private void reopen(final StreamFile part) throws IOException
    {
        final Path path = positions.locate(part);
        if (path == null)
        {
            lost("a file whose rows were not all received does not exist any more", "file=" + part.path());
            try
            {
                positions.lost();
            }
            catch (final IOException e)
            {
                throw new PositionException(e);
            }
            return;
        }
        final InputFile input = reader.open(path);
        current = reader.begin(input, part, positions.resumeOffset(part));
        positions.reopened();
    }

    private void read() throws IOException
    {
        switch (current.read())
        {
            case NOT_DUE ->
            {
                rows.flush();
                sleep(Math.min(MAX_SLEEP_NS, intake.dueNs() - clock.epochNs()));
            }
            case AT_END -> atEnd();
            default ->
            {
                // There is more to read.
            }
        }
    }

    private void atEnd() throws IOException
    {
        rows.flush();
        if (current.isEnd())
        {
            endFile(false);
        }
        else if (current.part().hasEnded() || selector.isComplete(current.input()))
        {
            current.setEnd();
        }
        else
        {
            checkpointIfDue();
            outage.ended();
            sleepMillis(settings.pollMillis());
        }
    }

    private void endFile(final boolean isDamaged) throws IOException
    {
        rows.flush();
        final OpenFile file = current;
        try
        {
            positions.end(file.part(), file.offset(), file.input(), isDamaged);
        }
        catch (final IOException e)
        {
            throw new PositionException(e);
        }
        readNumber = Math.max(readNumber, file.part().endNumber());
        current = null;
        close(file);
        counters.fileRead();
        counters.at(file.part().path().toString(), file.offset(), file.line());
        LOG.info("file read, stage={} file={} bytes={} lines={}", settings.stageName(), file.part().path(),
            file.offset(), file.line() - 1);
    }

    private void truncated() throws IOException
    {
        final OpenFile file = current;
        lost("a file is shorter than it was", "file=" + file.part().path());
        try
        {
            positions.endTruncated(file.part());
        }
        catch (final IOException e)
        {
            throw new PositionException(e);
        }
        current = null;
        close(file);
    }

    private void checkpointIfDue() throws IOException
    {
        final long nowNs = clock.epochNs();
        if (nowNs - checkpointNs >= CHECKPOINT_NS)
        {
            checkpointNs = nowNs;
            rows.flush();
            checkpoint();
        }
    }

    /** Stores how far rows were sent, and settles what was received. The batch is empty. */
    private void checkpoint() throws IOException
    {
        try
        {
            final OpenFile file = current;
            if (file != null && file.hasBegun())
            {
                if (file.input().growIdentity())
                {
                    positions.grow(file.part(), file.input().identity());
                }
                if (file.resumeOffset() == file.offset())
                {
                    positions.sent(file.part(), file.offset(), file.line());
                }
                counters.at(file.part().path().toString(), file.offset(), file.line());
            }
            final long received = isNumbered ? sender.receivedFrom(producer) : Long.MAX_VALUE;
            if (isNumbered)
            {
                counters.acknowledged(received);
            }
            if (isNumbered && file != null)
            {
                positions.acknowledge(file.part(), received);
            }
            // Rejected rows at the end of a file are never received.
            readFiles.settle(received < rows.lastNumber() ? received : Math.max(received, readNumber));
        }
        catch (final IOException e)
        {
            throw new PositionException(e);
        }
    }

    private void sleepMillis(final long millis)
    {
        final long endNs = clock.epochNs() + TimeUnit.MILLISECONDS.toNanos(millis);
        long restNs = endNs - clock.epochNs();
        while (!isStopping && restNs > 0)
        {
            sleep(Math.min(restNs, MAX_SLEEP_NS));
            restNs = endNs - clock.epochNs();
        }
    }

    private void sleep(final long sleepNs)
    {
        if (!isStopping && sleepNs > 0)
        {
            LockSupport.parkNanos(this, sleepNs);
        }
    }
}
