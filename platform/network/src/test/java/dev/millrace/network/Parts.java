package dev.millrace.network;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.stage.EventBatchSender;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.stage.EventBatchSource;
import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.api.stage.RelationSender;
import dev.millrace.api.stage.RelationSink;
import dev.millrace.api.stage.RelationSource;
import dev.millrace.api.stage.StreamSender;
import dev.millrace.api.stage.StreamSink;
import dev.millrace.api.stage.StreamSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Sources and sinks for tests. */
final class Parts
{
    static final EventType TICK = EventType.tuple("Tick", new EventProperty("id", CqlType.BIGINT),
        new EventProperty("symbol", CqlType.CHAR), new EventProperty("price", CqlType.DOUBLE));

    private Parts()
    {
    }

    /** A columnar source that sends when the test calls it. */
    static class ColumnSource implements EventBatchSource
    {
        EventBatchSender sender;
        EventBatch batch;

        @Override
        public void setBatchSender(final EventBatchSender given)
        {
            sender = given;
            batch = new EventBatch(given.schema());
        }

        void send(final long... ids)
        {
            batch.clear();
            for (int i = 0; i < ids.length; i++)
            {
                batch.longs(0)[i] = ids[i];
                batch.texts(1).set(i, "S" + ids[i] % 10);
                batch.doubles(2)[i] = ids[i] / 2.0;
            }
            batch.size(ids.length);
            sender.send(batch);
        }
    }

    /** An object source of a stream. */
    static class ObjectSource implements StreamSource
    {
        StreamSender sender;

        @Override
        public void setEventSender(final StreamSender given)
        {
            sender = given;
        }
    }

    /** An object source of a relation. */
    static class TableSource implements RelationSource
    {
        RelationSender sender;

        @Override
        public void setEventSender(final RelationSender given)
        {
            sender = given;
        }
    }

    /** A columnar sink that records the rows it receives. */
    static class ColumnSink implements EventBatchSink
    {
        final List<Long> ids = Collections.synchronizedList(new ArrayList<>());
        final List<Long> timesNs = Collections.synchronizedList(new ArrayList<>());
        final List<Long> heartbeatsNs = Collections.synchronizedList(new ArrayList<>());
        final List<Integer> batchSizes = Collections.synchronizedList(new ArrayList<>());

        @Override
        public void onBatch(final EventBatch batch) throws EventRejectedException
        {
            if (batch.size() == 0)
            {
                heartbeatsNs.add(batch.baseTimestampNs());
                return;
            }
            batchSizes.add(batch.size());
            for (int i = 0; i < batch.size(); i++)
            {
                ids.add(batch.longs(0)[i]);
                timesNs.add(batch.timestampNs(i));
            }
        }
    }

    /** An object sink that records the events it receives. */
    static class ObjectSink implements StreamSink
    {
        final List<Object> events = Collections.synchronizedList(new ArrayList<>());

        @Override
        public void onInsertEvent(final Object event) throws EventRejectedException
        {
            events.add(event);
        }
    }

    /** An object sink of a relation that records changes as {@code +x}, {@code -x}, {@code =x}. */
    static class TableSink implements RelationSink
    {
        /** Tests search it while changes arrive. */
        final List<String> changes = new CopyOnWriteArrayList<>();

        @Override
        public void onInsertEvent(final Object event)
        {
            changes.add("+" + event);
        }

        @Override
        public void onDeleteEvent(final Object event)
        {
            changes.add("-" + event);
        }

        @Override
        public void onUpdateEvent(final Object event)
        {
            changes.add("=" + event);
        }
    }
}
