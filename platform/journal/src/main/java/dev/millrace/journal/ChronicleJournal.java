package dev.millrace.journal;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import net.openhft.chronicle.bytes.MappedBytes;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueStore;

/**
 * A journal in files of Chronicle Queue. Each opening begins a new file, so that no record follows one that a process
 * left incomplete.
 */
final class ChronicleJournal implements Journal
{
    /** Length of a mapped part of a file; a quarter of it is mapped twice, more than the longest record. */
    private static final int BLOCK_BYTES = 64 << 20;
    /** Time until Chronicle Queue gives up waiting for a record that another process left incomplete. */
    private static final int INCOMPLETE_TIMEOUT_MS = 1_000;
    private static final long STOP_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);

    private final JournalSettings settings;
    private final LongSupplier wallTimeMs;
    private final DirectoryLock lock;
    private final SingleChronicleQueue queue;
    private final ExcerptAppender appender;
    private final SyncThread syncThread;
    private final PageToucher toucher;
    private final RecordFrame frame = new RecordFrame();
    /** Sizes of the files before the current one, oldest first. Guarded by this. */
    private final ArrayDeque<FileSize> older = new ArrayDeque<>();
    private Runnable onFileStart = () ->
    {
    };
    /** The file of the next record; read by Chronicle Queue as its time. */
    private volatile int cycle;
    private volatile long lastPosition;
    private volatile long syncedPosition;
    private volatile long currentBytes;
    private SpaceReservation space;
    private long nextSequence;
    private boolean isStarting;
    /** File with the last records of an earlier process, which may not be on the disk yet; {@code null} if they are. */
    private volatile Path recovered;
    /** The file in which the action of {@link #onFileStart} has succeeded. */
    private int describedCycle;
    private volatile Throwable failure;

    /** The size of a file. */
    private record FileSize(int cycle, long bytes)
    {
    }

    private ChronicleJournal(final JournalSettings settings, final LongSupplier wallTimeMs, final DirectoryLock lock)
    {
        this.settings = settings;
        this.wallTimeMs = wallTimeMs;
        this.lock = lock;
        final List<JournalFile> files = JournalFile.of(settings.directory());
        cycle = files.isEmpty() ? 0 : files.get(files.size() - 1).cycle();
        queue = queue(settings.directory(), () -> FileCycle.timeMs(cycle), false);
        appender = open(queue, queue::createAppender);
        // Threads take turns: a source that finds the worker idle runs its batch itself.
        appender.singleThreadedCheckDisabled(true);
        syncThread = new SyncThread(this::sync, settings);
        toucher = new PageToucher("journal-pages-" + settings.owner());
    }

    /**
     * Opens a journal for appending.
     *
     * @throws JournalException if it is in use, belongs to another owner, or its last records are damaged
     */
    static ChronicleJournal open(final JournalSettings settings, final LongSupplier wallTimeMs)
    {
        final DirectoryLock lock = DirectoryLock.acquire(settings.directory(), settings.owner());
        ChronicleJournal journal = null;
        try
        {
            JournalFile.deleteUnfinished(settings.directory());
            journal = new ChronicleJournal(settings, wallTimeMs, lock);
            journal.recover();
            if (settings.sync() != SyncMode.NONE)
            {
                // The user acts on these records from now on.
                journal.sync();
            }
            journal.syncThread.start();
            return journal;
        }
        catch (final Exception | Error e)
        {
            if (journal == null)
            {
                lock.close();
            }
            else
            {
                journal.release();
            }
            throw e;
        }
    }

    static SingleChronicleQueue queue(final Path directory, final LongSupplier timeMs, final boolean readOnly)
    {
        ChronicleSettings.apply();
        try
        {
            return SingleChronicleQueueBuilder.binary(directory).rollCycle(FileCycle.INSTANCE).blockSize(BLOCK_BYTES)
                .timeProvider(timeMs::getAsLong).timeoutMS(INCOMPLETE_TIMEOUT_MS).checkInterrupts(false)
                .readOnly(readOnly).build();
        }
        // Chronicle Queue throws checked exceptions that it does not declare.
        catch (final Exception e)
        {
            throw new JournalException(JournalErrorCode.DIRECTORY, "the journal cannot be opened, directory=" +
                directory + ": " + e, e);
        }
    }

    /** Checks the last file, and adopts a complete record that was not marked as complete. */
    private void recover()
    {
        final List<JournalFile> files = JournalFile.of(settings.directory());
        for (final JournalFile file : files)
        {
            older.add(new FileSize(file.cycle(), usedBytes(queue, file.cycle())));
        }
        if (files.isEmpty())
        {
            return;
        }
        // A process that was killed while it began a file has left it empty.
        for (int i = files.size() - 1; i >= 0 && lastPosition == NONE; i--)
        {
            recover(files.get(i));
        }
    }

    private void recover(final JournalFile file)
    {
        try (ChronicleReader reader = openTailer())
        {
            reader.moveToFile(file);
            while (reader.nextIn(file.cycle()))
            {
                lastPosition = reader.position();
            }
            lastPosition = reader.lastPosition();
            if (lastPosition == NONE)
            {
                return;
            }
            recovered = file.path();
            final UnfinishedRecord unfinished =
                UnfinishedRecord.find(file.path(), reader.endOffset(), reader.lastPosition() + 1);
            if (unfinished != null)
            {
                unfinished.complete(file.path());
                lastPosition++;
            }
        }
        catch (final IOException e)
        {
            throw new JournalException(JournalErrorCode.DIRECTORY, "the journal cannot be read, file=" + file.path() +
                ": " + e, e);
        }
    }

    /** The bytes of a file up to its last record; 0 for a file without records. */
    static long usedBytes(final SingleChronicleQueue queue, final int ofCycle)
    {
        SingleChronicleQueueStore store = null;
        try
        {
            store = queue.storeForCycle(ofCycle, queue.epoch(), false, null);
            return store == null ? 0 : store.writePosition();
        }
        // Chronicle Queue throws checked exceptions that it does not declare.
        catch (final Exception e)
        {
            throw JournalFile.damaged(JournalFile.path(queue.file().toPath(), ofCycle), e);
        }
        finally
        {
            if (store != null)
            {
                queue.closeStore(store);
            }
        }
    }

    @Override
    public void onFileStart(final Runnable action)
    {
        onFileStart = action;
    }

    @Override
    public long append(final byte[] bytes, final int from, final int length)
    {
        if (failure != null)
        {
            throw new JournalException(JournalErrorCode.FAILED, "the journal accepts no more records, directory=" +
                settings.directory() + " because=" + failure, failure);
        }
        if (length > MAX_RECORD_BYTES)
        {
            throw new JournalException(JournalErrorCode.TOO_LARGE, "the record is too large for a journal, bytes=" +
                length + " max=" + MAX_RECORD_BYTES + "; send fewer rows per batch");
        }
        if (!isStarting)
        {
            if (space == null || currentBytes >= settings.fileBytes())
            {
                startFile();
            }
            describeFile();
        }
        final long position = write(RecordFrame.RECORD, bytes, from, length);
        lastPosition = position;
        if (settings.sync() == SyncMode.BATCH)
        {
            sync();
        }
        return position;
    }

    /** Begins the next file. Nothing changes if the disk is full. */
    private void startFile()
    {
        checkSize();
        try
        {
            SpaceReservation.checkFree(settings.directory(), settings.minFreeBytes());
            final SpaceReservation before = space;
            if (before != null)
            {
                syncThread.sync();
                synchronized (this)
                {
                    older.add(new FileSize(cycle, currentBytes));
                }
            }
            final long timeMs = wallTimeMs.getAsLong();
            cycle = FileCycle.next(cycle, timeMs);
            nextSequence = 0;
            currentBytes = 0;
            final byte[] header = new FileHeader(lastPosition, timeMs, settings.owner()).encoded();
            space = null;
            lastPosition = write(RecordFrame.FILE_HEADER, header, 0, header.length);
            syncThread.file(space);
            if (before != null)
            {
                before.close();
            }
        }
        catch (final IOException e)
        {
            throw failed(e);
        }
    }

    /** Runs the action of the user in a new file, again if it failed before because the disk was full. */
    private void describeFile()
    {
        if (describedCycle == cycle)
        {
            return;
        }
        isStarting = true;
        try
        {
            onFileStart.run();
            describedCycle = cycle;
        }
        finally
        {
            isStarting = false;
        }
    }

    private void checkSize()
    {
        final long all = sizeBytes();
        if (all + settings.fileBytes() > settings.maxBytes() && all > 0)
        {
            throw new JournalException(JournalErrorCode.FULL, "the journal has reached its maximum size, directory=" +
                settings.directory() + " bytes=" + all + " maxBytes=" + settings.maxBytes() + " fileBytes=" +
                settings.fileBytes() + "; raise the maximum, or take snapshots more often");
        }
    }

    private long write(final byte kind, final byte[] bytes, final int from, final int length)
    {
        if (space != null)
        {
            prepareSpace(length + RecordFrame.HEAD_BYTES);
        }
        final long position = FileCycle.position(cycle, nextSequence);
        try
        {
            frame.append(appender, position, kind, bytes, from, length);
        }
        catch (final RuntimeException | Error e)
        {
            throw failed(e);
        }
        nextSequence++;
        currentBytes = appender.wire().bytes().writePosition();
        if (space == null)
        {
            space = open(JournalFile.path(settings.directory(), cycle));
        }
        return position;
    }

    private void prepareSpace(final int length)
    {
        if (!space.covers(currentBytes, length))
        {
            space.reserve(currentBytes, length);
        }
        if (space.isPreparationDue(currentBytes))
        {
            toucher.request(space, currentBytes);
        }
    }

    private SpaceReservation open(final Path file)
    {
        try
        {
            return new SpaceReservation(file, ((MappedBytes)appender.wire().bytes()).mappedFile(), currentBytes,
                settings.fileBytes(), settings.minFreeBytes());
        }
        catch (final IOException e)
        {
            throw failed(e);
        }
    }

    private JournalException failed(final Throwable cause)
    {
        failure = cause;
        return new JournalException(JournalErrorCode.FAILED, "the journal cannot be written, directory=" +
            settings.directory() + ": " + cause, cause);
    }

    @Override
    public long lastPosition()
    {
        return lastPosition;
    }

    @Override
    public long sync()
    {
        final long position = lastPosition;
        try
        {
            forceRecovered();
            syncThread.sync();
            syncedPosition = Math.max(syncedPosition, position);
            return syncedPosition;
        }
        catch (final IOException e)
        {
            throw failed(e);
        }
    }

    private void forceRecovered() throws IOException
    {
        final Path file = recovered;
        if (file != null)
        {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE))
            {
                channel.force(false);
            }
            recovered = null;
        }
    }

    @Override
    public long syncedPosition()
    {
        return syncedPosition;
    }

    @Override
    public JournalReader openReader()
    {
        return openTailer();
    }

    private ChronicleReader openTailer()
    {
        return new ChronicleReader(settings.directory(), tailer(queue), () -> lastPosition, settings.owner(), null);
    }

    static ExcerptTailer tailer(final SingleChronicleQueue queue)
    {
        return open(queue, queue::createTailer);
    }

    private static <T> T open(final SingleChronicleQueue queue, final Supplier<T> part)
    {
        try
        {
            return part.get();
        }
        // Chronicle Queue throws checked exceptions that it does not declare.
        catch (final Exception e)
        {
            throw JournalFile.damaged(queue.file().toPath(), e);
        }
    }

    @Override
    public void deleteBefore(final long position)
    {
        final List<JournalFile> files = JournalFile.of(settings.directory());
        for (int i = 0; i < files.size(); i++)
        {
            final JournalFile file = files.get(i);
            if (file.cycle() >= FileCycle.cycle(position) || file.cycle() >= cycle || isRetained(files.get(i + 1)))
            {
                break;
            }
            delete(file);
        }
        queue.refreshDirectoryListing();
    }

    /** Whether a file that is not needed is kept, because the one after it began recently. */
    private boolean isRetained(final JournalFile next)
    {
        return settings.retentionMs() > 0 &&
            wallTimeMs.getAsLong() - FileCycle.timeMs(next.cycle()) < settings.retentionMs() &&
            sizeBytes() <= settings.maxBytes() / 2 &&
            settings.directory().toFile().getUsableSpace() / 2 >= settings.minFreeBytes();
    }

    private void delete(final JournalFile file)
    {
        try
        {
            if (file.path().equals(recovered))
            {
                recovered = null;
            }
            Files.deleteIfExists(file.path());
        }
        catch (final IOException e)
        {
            throw new JournalException(JournalErrorCode.DIRECTORY, "a file of the journal cannot be deleted, file=" +
                file.path() + ": " + e, e);
        }
        synchronized (this)
        {
            older.removeIf(size -> size.cycle() == file.cycle());
        }
    }

    @Override
    public long sizeBytes()
    {
        synchronized (this)
        {
            return currentBytes + older.stream().mapToLong(FileSize::bytes).sum();
        }
    }

    @Override
    public void close()
    {
        syncThread.stop(STOP_TIMEOUT_NS);
        try
        {
            if (failure == null && settings.sync() != SyncMode.NONE)
            {
                sync();
            }
        }
        finally
        {
            release();
        }
    }

    private void release()
    {
        toucher.stop();
        try
        {
            if (space != null)
            {
                space.close();
            }
            appender.close();
            queue.close();
        }
        catch (final IOException e)
        {
            throw failed(e);
        }
        finally
        {
            failure = failure == null ? new IllegalStateException("closed") : failure;
            lock.close();
        }
    }
}
