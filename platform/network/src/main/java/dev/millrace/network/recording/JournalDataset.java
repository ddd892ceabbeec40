package dev.millrace.network.recording;

import dev.millrace.journal.Journal;
import dev.millrace.journal.JournalException;
import dev.millrace.journal.JournalReader;
import dev.millrace.network.spi.DatasetLog;
import dev.millrace.network.spi.DatasetRecords;
import dev.millrace.network.spi.EventStoreException;
import java.util.function.Supplier;

/** The two views of the journal of a dataset. Failure: those of the journal, as {@link EventStoreException}. */
final class JournalDataset
{
    private JournalDataset()
    {
    }

    /** Calls a journal. */
    static <T> T call(final Supplier<T> work)
    {
        try
        {
            return work.get();
        }
        catch (final JournalException e)
        {
            throw failure(e);
        }
    }

    private static EventStoreException failure(final JournalException e)
    {
        return new EventStoreException(e.code(), e.getMessage().substring(e.code().length() + 2), e);
    }

    /** Calls a journal without a result. */
    static void run(final Runnable work)
    {
        call(() ->
        {
            work.run();
            return null;
        });
    }

    /**
     * Appends to a journal.
     *
     * @param released called when it was closed
     */
    record Log(Journal journal, Runnable released) implements DatasetLog
    {
        @Override
        public void append(final byte[] bytes, final int length)
        {
            try
            {
                journal.append(bytes, 0, length);
            }
            catch (final JournalException e)
            {
                throw failure(e);
            }
        }

        @Override
        public void onFileStart(final Runnable action)
        {
            journal.onFileStart(action);
        }

        @Override
        public void close()
        {
            try
            {
                run(journal::close);
            }
            finally
            {
                released.run();
            }
        }
    }

    /** Reads a journal. */
    record Records(JournalReader reader) implements DatasetRecords
    {
        @Override
        public boolean next()
        {
            return call(reader::next);
        }

        @Override
        public byte[] bytes()
        {
            return reader.bytes();
        }

        @Override
        public int length()
        {
            return reader.length();
        }

        @Override
        public void close()
        {
            reader.close();
        }
    }
}
