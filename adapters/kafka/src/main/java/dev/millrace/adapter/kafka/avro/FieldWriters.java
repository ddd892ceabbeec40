package dev.millrace.adapter.kafka.avro;

import dev.millrace.adapter.common.decode.RejectReason;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import java.math.BigDecimal;
import java.util.List;
import org.apache.avro.Schema;

/** Creates the writers of fields, with the promotions of Avro. Failure: a column that does not fit its field. */
final class FieldWriters
{
    private FieldWriters()
    {
    }

    static FieldWriter of(final Schema schema, final EventProperty property, final int column) throws SchemaException
    {
        final List<Schema> branches = schema.getType() == Schema.Type.UNION ? schema.getTypes() : List.of(schema);
        int nullIndex = -1;
        int valueIndex = -1;
        FieldWriter value = null;
        for (int i = 0; i < branches.size(); i++)
        {
            if (branches.get(i).getType() == Schema.Type.NULL)
            {
                nullIndex = i;
            }
            else if (value == null)
            {
                value = value(branches.get(i), property, column);
                valueIndex = i;
            }
        }
        if (value == null)
        {
            throw new SchemaException("a column does not fit its field, column=" + property.name() + " type=" +
                property.type().cqlName() + " schema=" + schema);
        }
        return schema.getType() == Schema.Type.UNION ? union(property.name(), column, nullIndex, valueIndex, value) :
            notNull(property.name(), column, value);
    }

    private static FieldWriter union(final String name, final int column, final int nullIndex, final int valueIndex,
        final FieldWriter value)
    {
        return (batch, row, out) ->
        {
            if (!batch.isNull(column, row))
            {
                out.writeIndex(valueIndex);
                value.write(batch, row, out);
                return;
            }
            if (nullIndex < 0)
            {
                throw isNull(name);
            }
            out.writeIndex(nullIndex);
        };
    }

    private static FieldWriter notNull(final String name, final int column, final FieldWriter value)
    {
        return (batch, row, out) ->
        {
            if (batch.isNull(column, row))
            {
                throw isNull(name);
            }
            value.write(batch, row, out);
        };
    }

    private static RowException isNull(final String name)
    {
        return new RowException(RejectReason.MISSING_FIELD, "the schema does not permit null, column=" + name);
    }

    private static FieldWriter value(final Schema schema, final EventProperty property, final int column)
    {
        final boolean isDecimal = "decimal".equals(schema.getProp("logicalType"));
        return switch (schema.getType())
        {
            case INT -> property.type() != CqlType.INT ? null :
                (batch, row, out) -> out.writeInt(batch.ints(column)[row]);
            case LONG -> longInteger(schema, property.type(), column);
            case FLOAT -> property.type() != CqlType.FLOAT ? null :
                (batch, row, out) -> out.writeFloat(batch.floats(column)[row]);
            case DOUBLE -> real(property.type(), column);
            case BOOLEAN -> property.type() != CqlType.BOOLEAN ? null :
                (batch, row, out) -> out.writeBoolean(batch.bits(column)[row] != 0);
            case STRING -> property.type() != CqlType.CHAR ? null :
                (batch, row, out) -> out.writeString(batch.texts(column).string(row));
            case ENUM -> property.type() != CqlType.CHAR ? null : symbol(schema, property.name(), column);
            case BYTES -> property.type() == CqlType.BIGDECIMAL && isDecimal ?
                decimal(schema, property.name(), column) : property.type() != CqlType.BYTE ? null :
                (batch, row, out) -> out.writeBytes((byte[])batch.references(column)[row]);
            default -> null;
        };
    }

    private static FieldWriter longInteger(final Schema schema, final CqlType type, final int column)
    {
        final long unitNs = TimeUnits.ofNs(schema);
        return switch (type)
        {
            case INT -> (batch, row, out) -> out.writeLong(batch.ints(column)[row]);
            case BIGINT, INTERVAL -> (batch, row, out) -> out.writeLong(batch.longs(column)[row]);
            case TIMESTAMP -> (batch, row, out) -> out.writeLong(Math.floorDiv(batch.longs(column)[row], unitNs));
            default -> null;
        };
    }

    private static FieldWriter real(final CqlType type, final int column)
    {
        return switch (type)
        {
            case INT -> (batch, row, out) -> out.writeDouble(batch.ints(column)[row]);
            case FLOAT -> (batch, row, out) -> out.writeDouble(batch.floats(column)[row]);
            case DOUBLE -> (batch, row, out) -> out.writeDouble(batch.doubles(column)[row]);
            default -> null;
        };
    }

    private static FieldWriter symbol(final Schema schema, final String name, final int column)
    {
        return (batch, row, out) ->
        {
            final String text = batch.texts(column).string(row);
            if (!schema.hasEnumSymbol(text))
            {
                throw new RowException(RejectReason.WRONG_TYPE, "the enumeration has no such symbol, column=" + name +
                    " value=" + text);
            }
            out.writeEnum(schema.getEnumOrdinal(text));
        };
    }

    private static FieldWriter decimal(final Schema schema, final String name, final int column)
    {
        final int scale = schema.getObjectProp("scale") instanceof Number given ? given.intValue() : 0;
        return (batch, row, out) ->
        {
            final BigDecimal value = (BigDecimal)batch.references(column)[row];
            try
            {
                out.writeBytes(value.setScale(scale).unscaledValue().toByteArray());
            }
            catch (final ArithmeticException e)
            {
                throw new RowException(RejectReason.WRONG_TYPE, "the decimal has more digits after the point than its" +
                    " field, column=" + name + " scale=" + scale);
            }
        };
    }
}
