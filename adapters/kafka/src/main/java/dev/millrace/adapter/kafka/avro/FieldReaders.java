package dev.millrace.adapter.kafka.avro;

import dev.millrace.adapter.common.decode.RejectReason;
import dev.millrace.adapter.common.decode.RowWriter;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.io.BinaryDecoder;

/**
 * Creates the readers of fields, with the promotions of Avro: int to bigint, float and double, bigint to float and
 * double, float to double. Confined to one thread. Failure: a field that does not fit its column is a
 * {@link SchemaException}.
 */
final class FieldReaders
{
    private static final int INITIAL_BYTES = 256;

    private final EventBatch batch;
    private final RowWriter writer;
    private byte[] buffer = new byte[INITIAL_BYTES];

    FieldReaders(final EventBatch batch, final RowWriter writer)
    {
        this.batch = batch;
        this.writer = writer;
    }

    /** A reader that skips a field. */
    static FieldReader skip(final Schema schema)
    {
        return (in, row) -> GenericDatumReader.skip(schema, in);
    }

    FieldReader of(final Schema schema, final int column) throws SchemaException
    {
        final EventProperty property = batch.schema().type().properties().get(column);
        final FieldReader reader = switch (schema.getType())
        {
            case UNION -> union(schema, column);
            case NULL -> (in, row) -> batch.setNull(column, row);
            case INT -> integer(property.type(), column);
            case LONG -> longInteger(schema, property, column);
            case FLOAT -> real(property.type(), column);
            case DOUBLE -> property.type() != CqlType.DOUBLE ? null :
                (in, row) -> batch.doubles(column)[row] = in.readDouble();
            case BOOLEAN -> property.type() != CqlType.BOOLEAN ? null :
                (in, row) -> batch.bits(column)[row] = (byte)(in.readBoolean() ? 1 : 0);
            case STRING -> property.type() != CqlType.CHAR ? null : text(column);
            case ENUM -> property.type() != CqlType.CHAR ? null : symbol(schema, column);
            case BYTES, FIXED -> bytes(schema, property.type(), column);
            default -> null;
        };
        if (reader == null)
        {
            throw new SchemaException("a field does not fit its column, column=" + property.name() + " type=" +
                property.type().cqlName() + " schema=" + schema);
        }
        return reader;
    }

    private FieldReader union(final Schema schema, final int column) throws SchemaException
    {
        final FieldReader[] branches = new FieldReader[schema.getTypes().size()];
        for (int i = 0; i < branches.length; i++)
        {
            branches[i] = of(schema.getTypes().get(i), column);
        }
        return (in, row) ->
        {
            final int index = in.readIndex();
            if (index < 0 || index >= branches.length)
            {
                throw new IOException("the union has no such branch, branch=" + index);
            }
            branches[index].read(in, row);
        };
    }

    private FieldReader integer(final CqlType type, final int column)
    {
        return switch (type)
        {
            case INT -> (in, row) -> batch.ints(column)[row] = in.readInt();
            case BIGINT -> (in, row) -> batch.longs(column)[row] = in.readInt();
            case FLOAT -> (in, row) -> batch.floats(column)[row] = in.readInt();
            case DOUBLE -> (in, row) -> batch.doubles(column)[row] = in.readInt();
            default -> null;
        };
    }

    private FieldReader longInteger(final Schema schema, final EventProperty property, final int column)
    {
        return switch (property.type())
        {
            case BIGINT, INTERVAL -> (in, row) -> batch.longs(column)[row] = in.readLong();
            case FLOAT -> (in, row) -> batch.floats(column)[row] = in.readLong();
            case DOUBLE -> (in, row) -> batch.doubles(column)[row] = in.readLong();
            case TIMESTAMP -> time(TimeUnits.ofNs(schema), property.name(), column);
            default -> null;
        };
    }

    private FieldReader time(final long unitNs, final String name, final int column)
    {
        return (in, row) ->
        {
            final long value = in.readLong();
            try
            {
                batch.longs(column)[row] = Math.multiplyExact(value, unitNs);
            }
            catch (final ArithmeticException e)
            {
                throw new RowException(RejectReason.WRONG_TYPE, "the time is out of range, column=" + name +
                    " value=" + value);
            }
        };
    }

    private FieldReader real(final CqlType type, final int column)
    {
        return switch (type)
        {
            case FLOAT -> (in, row) -> batch.floats(column)[row] = in.readFloat();
            case DOUBLE -> (in, row) -> batch.doubles(column)[row] = in.readFloat();
            default -> null;
        };
    }

    private FieldReader text(final int column)
    {
        return (in, row) -> put(column, row, buffer, load(in, in.readLong()));
    }

    private FieldReader symbol(final Schema schema, final int column)
    {
        final byte[][] symbols = schema.getEnumSymbols().stream().map(each -> each.getBytes(StandardCharsets.UTF_8))
            .toArray(byte[][]::new);
        return (in, row) ->
        {
            final int index = in.readEnum();
            if (index < 0 || index >= symbols.length)
            {
                throw new IOException("the enumeration has no such symbol, symbol=" + index);
            }
            put(column, row, symbols[index], symbols[index].length);
        };
    }

    private void put(final int column, final int row, final byte[] bytes, final int length) throws RowException
    {
        final RejectReason refusal = writer.put(column, row, bytes, 0, length);
        if (refusal != null)
        {
            throw new RowException(refusal, writer.describe(column, bytes, 0, length));
        }
    }

    private FieldReader bytes(final Schema schema, final CqlType type, final int column)
    {
        final boolean isFixed = schema.getType() == Schema.Type.FIXED;
        final int size = isFixed ? schema.getFixedSize() : 0;
        final boolean isDecimal = "decimal".equals(schema.getProp("logicalType"));
        if (type == CqlType.BYTE)
        {
            return (in, row) -> batch.references(column)[row] =
                Arrays.copyOf(buffer, load(in, isFixed ? size : in.readLong()));
        }
        if (type != CqlType.BIGDECIMAL || !isDecimal)
        {
            return type == CqlType.CHAR && !isFixed && !isDecimal ? text(column) : null;
        }
        final int scale = schema.getObjectProp("scale") instanceof Number given ? given.intValue() : 0;
        return (in, row) ->
        {
            final int length = load(in, isFixed ? size : in.readLong());
            if (length == 0)
            {
                throw new IOException("a decimal has no bytes");
            }
            batch.references(column)[row] = new BigDecimal(new BigInteger(buffer, 0, length), scale);
        };
    }

    /** Reads bytes to the buffer; allocates at most as many as the value contains. */
    private int load(final BinaryDecoder in, final long length) throws IOException
    {
        if (length < 0 || length > in.remainingBytes())
        {
            throw new IOException("the value is shorter than a field, bytes=" + length);
        }
        if (length > buffer.length)
        {
            buffer = new byte[(int)Math.max(length, Math.min(2L * buffer.length, Integer.MAX_VALUE - 8))];
        }
        in.readFixed(buffer, 0, (int)length);
        return (int)length;
    }
}
