package dev.millrace.adapter.file.parquet.write;

import dev.millrace.api.event.CqlType;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.zip.CRC32C;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.DecimalType;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.LogicalType;
import org.apache.parquet.format.NanoSeconds;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.StringType;
import org.apache.parquet.format.TimeUnit;
import org.apache.parquet.format.TimestampType;
import org.apache.parquet.format.Type;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type.Repetition;

/**
 * A column of files that are written. Immutable.
 *
 * <p>The library has no part in logical types here: its classes for them cannot be loaded without a library for
 * geometries.
 *
 * @param name  in the schema
 * @param form  of its values
 * @param scale digits after the point of decimals; 0 for others
 */
public record ParquetColumn(String name, Form form, int scale)
{
    /** Digits of a decimal, as many as 16 bytes and most readers have room for. */
    public static final int DECIMAL_DIGITS = 38;

    static final int DECIMAL_BYTES = 16;
    static final int MAX_TEXT_BYTES = 1 << 20;
    private static final String SEPARATOR = "\t";
    /** Begins the text; the number is that of the format of logs. */
    private static final String FIRST = "millrace rows 1 ";

    /** The forms of values. */
    public enum Form
    {
        /** The time of a row. */
        ROW_TIME(PrimitiveTypeName.INT64),
        /** The kind of a row. */
        ROW_KIND(PrimitiveTypeName.BINARY),
        /** Integers of 32 bits. */
        INT(PrimitiveTypeName.INT32),
        /** Integers of 64 bits. */
        LONG(PrimitiveTypeName.INT64),
        /** Numbers of 32 bits. */
        FLOAT(PrimitiveTypeName.FLOAT),
        /** Numbers of 64 bits. */
        DOUBLE(PrimitiveTypeName.DOUBLE),
        /** Truth values. */
        BOOLEAN(PrimitiveTypeName.BOOLEAN),
        /** Instants in nanoseconds. */
        TIME(PrimitiveTypeName.INT64),
        /** UTF-8. */
        TEXT(PrimitiveTypeName.BINARY),
        /** Bytes. */
        BYTES(PrimitiveTypeName.BINARY),
        /** Decimals as big-endian bytes. */
        DECIMAL(PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY);

        private final PrimitiveTypeName type;

        Form(final PrimitiveTypeName type)
        {
            this.type = type;
        }
    }

    /**
     * The column of a property.
     *
     * @param decimalScale digits after the point of decimals
     * @return {@code null} if no column can have its type
     */
    public static ParquetColumn of(final String name, final CqlType type, final int decimalScale)
    {
        final Form form = switch (type)
        {
            case INT -> Form.INT;
            case BIGINT, INTERVAL -> Form.LONG;
            case FLOAT -> Form.FLOAT;
            case DOUBLE -> Form.DOUBLE;
            case BOOLEAN -> Form.BOOLEAN;
            case TIMESTAMP -> Form.TIME;
            case CHAR -> Form.TEXT;
            case BYTE -> Form.BYTES;
            case BIGDECIMAL -> Form.DECIMAL;
            case XMLTYPE, OBJECT -> null;
        };
        return form == null ? null : new ParquetColumn(name, form, form == Form.DECIMAL ? decimalScale : 0);
    }

    /**
     * Columns as one line of text, which begins a log.
     *
     * @throws IllegalArgumentException if two names are equal, one contains a control character, or the text is longer
     *         than a megabyte
     */
    public static String text(final List<ParquetColumn> columns)
    {
        final Set<String> names = new HashSet<>();
        columns.forEach(each ->
        {
            if (!names.add(each.name) || each.name.chars().anyMatch(Character::isISOControl))
            {
                throw new IllegalArgumentException("use each name once, without control characters: " + each.name);
            }
        });
        final String text = columns.stream().map(each -> each.form + " " + each.scale + " " + each.name)
            .collect(Collectors.joining(SEPARATOR));
        final String line = FIRST + sum(text) + SEPARATOR + text;
        if (line.getBytes(StandardCharsets.UTF_8).length > MAX_TEXT_BYTES)
        {
            throw new IllegalArgumentException("use fewer or shorter names: together they are longer than a megabyte");
        }
        return line;
    }

    private static String sum(final String text)
    {
        final CRC32C checksum = new CRC32C();
        checksum.update(text.getBytes(StandardCharsets.UTF_8));
        return Long.toHexString(checksum.getValue());
    }

    /**
     * The columns of a text.
     *
     * @throws IllegalArgumentException if it is no such text, or was changed
     */
    static List<ParquetColumn> parse(final String text)
    {
        final int first = text.indexOf(SEPARATOR);
        if (first < 0 || !text.substring(0, first).equals(FIRST + sum(text.substring(first + 1))))
        {
            throw new IllegalArgumentException("not columns, or not as they were written");
        }
        return Arrays.stream(text.substring(first + 1).split(SEPARATOR)).map(each ->
        {
            final String[] parts = each.split(" ", 3);
            return new ParquetColumn(parts[2], Form.valueOf(parts[0]), Integer.parseInt(parts[1]));
        }).toList();
    }

    /** Whether no row lacks a value. */
    boolean isRequired()
    {
        return form == Form.ROW_TIME || form == Form.ROW_KIND;
    }

    PrimitiveTypeName type()
    {
        return form.type;
    }

    ColumnDescriptor descriptor()
    {
        return new ColumnDescriptor(new String[] {name},
            new PrimitiveType(isRequired() ? Repetition.REQUIRED : Repetition.OPTIONAL, form.type,
            form == Form.DECIMAL ? DECIMAL_BYTES : 0, name), 0, isRequired() ? 0 : 1);
    }

    /** The type in metadata. */
    Type metadataType()
    {
        return form.type == PrimitiveTypeName.BINARY ? Type.BYTE_ARRAY : Type.valueOf(form.type.name());
    }

    /** The column in metadata. */
    SchemaElement element()
    {
        final SchemaElement element = new SchemaElement(name).setType(metadataType())
            .setRepetition_type(isRequired() ? FieldRepetitionType.REQUIRED : FieldRepetitionType.OPTIONAL);
        return switch (form)
        {
            case ROW_TIME, TIME -> element.setLogicalType(
                LogicalType.TIMESTAMP(new TimestampType(true, TimeUnit.NANOS(new NanoSeconds()))));
            case ROW_KIND, TEXT -> element.setConverted_type(ConvertedType.UTF8)
                .setLogicalType(LogicalType.STRING(new StringType()));
            case DECIMAL -> element.setType_length(DECIMAL_BYTES).setConverted_type(ConvertedType.DECIMAL)
                .setScale(scale).setPrecision(DECIMAL_DIGITS)
                .setLogicalType(LogicalType.DECIMAL(new DecimalType(scale, DECIMAL_DIGITS)));
            default -> element;
        };
    }
}
