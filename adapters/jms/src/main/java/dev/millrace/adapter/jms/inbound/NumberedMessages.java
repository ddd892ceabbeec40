package dev.millrace.adapter.jms.inbound;

import dev.millrace.adapter.jms.inbound.NumberFile.Entry;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The messages whose acknowledgement the broker has not confirmed, with the numbers of their first rows. If such a
 * message arrives again, its rows that were received before are skipped. The others get new numbers, because messages
 * need not arrive in the same order again. Confined to the source's thread.
 *
 * <p>If rows have numbers in the stages below, the messages are also in a file, which is written before rows are sent.
 */
final class NumberedMessages implements AutoCloseable
{
    /**
     * How far numbers continue after the last one that all stages below have stored: more than the rows of a
     * transaction, so that no stage below has stored a greater number.
     */
    static final long GAP = 1L << 24;

    private static final int MAX_EXPECTED = 200_000;
    private static final long TRUNCATE_BYTES = 1 << 20;
    private static final long REWRITE_BYTES = 16 << 20;

    private final Path path;
    /** Messages of earlier transactions whose end is unknown: id to the number of rows that were received. */
    private final Map<String, Long> expected = new LinkedHashMap<>();
    private final List<Entry> open = new ArrayList<>();
    /** {@code null} if rows have no numbers. */
    private NumberFile file;

    NumberedMessages(final Path path)
    {
        this.path = path;
    }

    /** Opens the file, for a source whose rows have numbers in the stages below. Does nothing if it is open. */
    void openFile() throws IOException
    {
        if (file == null)
        {
            final NumberFile opened = new NumberFile(path);
            try
            {
                restore(opened.read());
            }
            catch (final IOException | RuntimeException e)
            {
                opened.close();
                throw e;
            }
            file = opened;
        }
    }

    private void restore(final List<Entry> entries)
    {
        expected.clear();
        open.clear();
        for (final Entry each : entries)
        {
            if (each.equals(Entry.COMMIT))
            {
                forgetOpen();
            }
            else if (each.isResolved())
            {
                open.removeIf(begun -> begun.id().equals(each.id()));
                expected.put(each.id(), each.before());
            }
            else
            {
                open.add(each);
            }
        }
    }

    private void forgetOpen()
    {
        open.forEach(each -> expected.remove(each.id()));
        open.clear();
    }

    /**
     * Begins the first transaction of a connection. The messages of the one before it, if it has not ended, are
     * expected again.
     *
     * @param received number of the last row that was received; not less than at the last call
     */
    void reopen(final long received) throws IOException
    {
        final List<Entry> before = new ArrayList<>(open);
        open.clear();
        for (final Entry each : before)
        {
            expected.put(each.id(), each.rows(received));
            if (file != null)
            {
                // Later numbers belong to other messages.
                file.add(Entry.resolved(each.id(), each.rows(received)));
            }
        }
        write();
        final Iterator<String> oldest = expected.keySet().iterator();
        while (expected.size() > MAX_EXPECTED)
        {
            oldest.next();
            oldest.remove();
        }
    }

    /**
     * Begins a message.
     *
     * @param id    {@code null} if the provider assigns none
     * @param first number of its first row
     * @return how many of its rows were received before, and are to be skipped
     */
    long begin(final String id, final long first) throws IOException
    {
        if (id == null || id.isEmpty())
        {
            return 0;
        }
        final long before = expected.getOrDefault(id, 0L);
        final Entry entry = new Entry(id, first, before);
        open.add(entry);
        if (file != null)
        {
            file.add(entry);
        }
        return before;
    }

    /** Makes sure that the messages that have begun are known after the end of the process. */
    void write() throws IOException
    {
        if (file != null)
        {
            file.write();
        }
    }

    /** Records that the broker has confirmed the end of the transaction. */
    void committed() throws IOException
    {
        forgetOpen();
        if (file == null)
        {
            return;
        }
        final long bytes = file.sizeBytes();
        if (bytes > TRUNCATE_BYTES && expected.isEmpty() || bytes > REWRITE_BYTES)
        {
            file.replace(expected.entrySet().stream()
                .map(each -> Entry.resolved(each.getKey(), each.getValue())).toList());
        }
        else
        {
            file.add(Entry.COMMIT);
            file.write();
        }
    }

    @Override
    public void close() throws IOException
    {
        if (file != null)
        {
            file.close();
            file = null;
        }
    }
}
