package dev.millrace.tuning.journal;

import java.nio.file.Path;
import java.util.List;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;
import net.openhft.chronicle.wire.DocumentContext;

/** A queue of Chronicle with its own settings and nothing around it: the least that an append costs. */
final class BareQueue implements AutoCloseable
{
    private final SingleChronicleQueue queue;
    private final ExcerptAppender appender;

    BareQueue(final Path directory)
    {
        queue = SingleChronicleQueueBuilder.binary(directory).build();
        appender = queue.createAppender();
    }

    void append(final List<byte[]> records)
    {
        for (final byte[] record : records)
        {
            try (DocumentContext document = appender.writingDocument())
            {
                document.wire().bytes().write(record);
            }
        }
    }

    @Override
    public void close()
    {
        queue.close();
    }
}
