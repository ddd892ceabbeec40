package dev.millrace.adapter.kafka.inbound;

import dev.millrace.adapter.common.decode.RowWriter;
import dev.millrace.adapter.kafka.avro.RowException;
import dev.millrace.adapter.kafka.avro.RowReader;
import dev.millrace.adapter.kafka.avro.SchemaException;
import dev.millrace.adapter.kafka.avro.SchemaRegistry;
import dev.millrace.adapter.kafka.property.KafkaErrorCode;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.time.Clock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.errors.InterruptException;

/**
 * Decodes values of Avro. Confined to one thread, which waits for the registry when it meets a new schema. Failure: a
 * value with an unknown or unsuitable schema is rejected; if the registry does not respond, the source tries again.
 */
final class AvroDecoder implements ValueDecoder
{
    private static final String MALFORMED = "KAF-0124";
    private static final String WRONG_SCHEMA = "KAF-0125";
    /** The registry is asked again for a schema that it did not contain. */
    private static final long UNKNOWN_NS = TimeUnit.SECONDS.toNanos(10);
    private static final int MAX_UNKNOWN = 1000;

    private final SourceSettings settings;
    private final EventBatch batch;
    private final RowWriter writer;
    private final int[] columns;
    private final Clock clock;
    private final RowReader ofFile;
    private final Map<Integer, RowReader> readers = new HashMap<>();
    private final Map<Integer, Unknown> unknown = new HashMap<>();
    private int lastId;
    private RowReader last;
    private Rejection rejection;

    /** Why a schema cannot be used, and until when this is not asked again. */
    private record Unknown(String reason, long untilNs)
    {
    }

    /** @throws IllegalArgumentException if the schema of a file does not fit the columns */
    AvroDecoder(final SourceSettings settings, final EventBatch batch, final RowWriter writer, final int[] columns,
        final Clock clock)
    {
        this.settings = settings;
        this.batch = batch;
        this.writer = writer;
        this.columns = columns.clone();
        this.clock = clock;
        ofFile = settings.avro().file() == null ? null : ofFile();
    }

    private RowReader ofFile()
    {
        try
        {
            return new RowReader(settings.avro().fileSchema(settings.check()), batch, writer, columns,
                settings.isMissingNull());
        }
        catch (final SchemaException e)
        {
            throw settings.check().wrong("schemaFile", settings.avro().file() + " reason=" + e.getMessage(),
                "name a file whose schema fits the columns");
        }
    }

    @Override
    public boolean decode(final String topic, final byte[] bytes, final int from, final int to, final int row)
    {
        if (ofFile != null)
        {
            return read(ofFile, bytes, from, to, row);
        }
        if (to - from < SchemaRegistry.HEADER_BYTES || bytes[from] != SchemaRegistry.MAGIC)
        {
            return reject(MALFORMED, "malformed-value", "the value does not begin with a byte of 0 and the id of its " +
                "schema, valueBytes=" + (to - from));
        }
        final int id = ByteBuffer.wrap(bytes, from + 1, Integer.BYTES).getInt();
        final RowReader reader = last != null && id == lastId ? last : reader(id);
        return reader != null && read(reader, bytes, from + SchemaRegistry.HEADER_BYTES, to, row);
    }

    /** The plan of a schema; {@code null} if the value is rejected. */
    private RowReader reader(final int id)
    {
        RowReader reader = readers.get(id);
        if (reader == null)
        {
            final Unknown before = unknown.get(id);
            if (before != null && clock.epochNs() - before.untilNs() < 0)
            {
                reject(WRONG_SCHEMA, "wrong-schema", before.reason());
                return null;
            }
            reader = load(id);
            if (reader == null)
            {
                return null;
            }
            readers.put(id, reader);
        }
        lastId = id;
        last = reader;
        return reader;
    }

    private RowReader load(final int id)
    {
        final SchemaRegistry registry = settings.avro().registry();
        try
        {
            return new RowReader(registry.schema(id), batch, writer, columns, settings.isMissingNull());
        }
        catch (final SchemaException e)
        {
            if (unknown.size() >= MAX_UNKNOWN)
            {
                unknown.clear();
            }
            unknown.put(id, new Unknown(e.getMessage() + " registry=" + registry.url(), clock.epochNs() + UNKNOWN_NS));
            reject(WRONG_SCHEMA, "wrong-schema", unknown.get(id).reason());
            return null;
        }
        catch (final IOException e)
        {
            throw new SourceException(KafkaErrorCode.REGISTRY, "the schema registry does not respond, stage=" +
                settings.stageName() + " registry=" + registry.url() + " id=" + id + " reason=" + e,
                "start it, or correct schemaRegistry: the source tries again");
        }
        catch (final InterruptedException e)
        {
            throw new InterruptException(e);
        }
    }

    private boolean read(final RowReader reader, final byte[] bytes, final int from, final int to, final int row)
    {
        try
        {
            reader.read(bytes, from, to, row);
            return true;
        }
        catch (final RowException e)
        {
            return e.reason() == null ? reject(MALFORMED, "malformed-value", e.getMessage() + " valueBytes=" +
                (to - from)) : reject(e.reason().code(), e.reason().reason(), e.getMessage());
        }
    }

    private boolean reject(final String code, final String reason, final String detail)
    {
        rejection = new Rejection(code, reason, detail);
        return false;
    }

    @Override
    public Rejection rejection()
    {
        return rejection;
    }
}
