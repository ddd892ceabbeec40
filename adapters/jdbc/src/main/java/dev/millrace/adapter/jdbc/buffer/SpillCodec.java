package dev.millrace.adapter.jdbc.buffer;

import dev.millrace.api.event.CqlType;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;

/**
 * Encodes rows as bytes: row after row, each value preceded by a byte that is 0 for null. Values of type
 * object cannot be encoded. Stateless.
 */
public final class SpillCodec
{
    private SpillCodec()
    {
    }

    /** Whether rows can be written to files. */
    public static boolean canWrite(final RowLayout layout)
    {
        return layout.properties().stream().noneMatch(property -> property.type() == CqlType.OBJECT);
    }

    static byte[] rows(final RowBlock block) throws IOException
    {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream(block.size() * block.layout().size() * 8);
        final DataOutputStream out = new DataOutputStream(bytes);
        for (int row = 0; row < block.size(); row++)
        {
            out.writeByte(block.operation(row).ordinal());
            for (int column = 0; column < block.layout().size(); column++)
            {
                final boolean isNull = block.isNull(column, row);
                out.writeByte(isNull ? 0 : 1);
                if (!isNull)
                {
                    write(out, block.layout().properties().get(column).type(), block.array(column), row);
                }
            }
        }
        return bytes.toByteArray();
    }

    private static void write(final DataOutputStream out, final CqlType type, final Object column, final int row)
        throws IOException
    {
        switch (type)
        {
            case INT -> out.writeInt(((int[])column)[row]);
            case BIGINT, TIMESTAMP, INTERVAL -> out.writeLong(((long[])column)[row]);
            case FLOAT -> out.writeFloat(((float[])column)[row]);
            case DOUBLE -> out.writeDouble(((double[])column)[row]);
            case BOOLEAN -> out.writeByte(((byte[])column)[row]);
            case CHAR, XMLTYPE -> bytes(out, ((Object[])column)[row].toString().getBytes(StandardCharsets.UTF_8));
            case BYTE -> bytes(out, (byte[])((Object[])column)[row]);
            case BIGDECIMAL ->
            {
                final BigDecimal number = (BigDecimal)((Object[])column)[row];
                out.writeInt(number.scale());
                bytes(out, number.unscaledValue().toByteArray());
            }
            default -> throw new IOException("objects cannot be stored in files");
        }
    }

    private static void bytes(final DataOutputStream out, final byte[] bytes) throws IOException
    {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    static void rows(final byte[] bytes, final RowBlock block, final int count) throws IOException
    {
        final DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        for (int row = 0; row < count; row++)
        {
            block.operations(row, 1, RowOperation.of(in.readByte()));
            for (int column = 0; column < block.layout().size(); column++)
            {
                final boolean isNull = in.readByte() == 0;
                block.setNull(column, row, isNull);
                if (!isNull)
                {
                    read(in, block.layout().properties().get(column).type(), block.array(column), row);
                }
            }
        }
        block.size(count);
    }

    private static void read(final DataInputStream in, final CqlType type, final Object column, final int row)
        throws IOException
    {
        switch (type)
        {
            case INT -> ((int[])column)[row] = in.readInt();
            case BIGINT, TIMESTAMP, INTERVAL -> ((long[])column)[row] = in.readLong();
            case FLOAT -> ((float[])column)[row] = in.readFloat();
            case DOUBLE -> ((double[])column)[row] = in.readDouble();
            case BOOLEAN -> ((byte[])column)[row] = in.readByte();
            case CHAR, XMLTYPE -> ((Object[])column)[row] = new String(bytes(in), StandardCharsets.UTF_8);
            case BYTE -> ((Object[])column)[row] = bytes(in);
            case BIGDECIMAL ->
            {
                final int scale = in.readInt();
                ((Object[])column)[row] = new BigDecimal(new BigInteger(bytes(in)), scale);
            }
            default -> throw new IOException("objects cannot be stored in files");
        }
    }

    private static byte[] bytes(final DataInputStream in) throws IOException
    {
        final byte[] bytes = new byte[in.readInt()];
        in.readFully(bytes);
        return bytes;
    }
}
