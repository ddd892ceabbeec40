package dev.millrace.adapter.file.parquet;

import dev.millrace.api.event.CqlType;
import java.util.EnumSet;
import java.util.Set;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.LogicalType;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.TimeUnit;
import org.apache.parquet.format.Type;

/**
 * How values of a column of a file become those of a property.
 *
 * @param kind  of values
 * @param scale nanoseconds per unit of a time; digits after the point of a decimal
 */
record Conversion(Kind kind, long scale)
{
    /** The kinds of values. */
    enum Kind
    {
        /** Integers of 32 bits. */
        INT,
        /** Integers of 64 bits. */
        LONG,
        /** Instants, counted in units since the epoch. */
        TIME,
        /** Days since the epoch. */
        DATE,
        /** Instants as a day and nanoseconds, in 12 bytes. */
        OLD_TIME,
        /** Numbers of 32 bits. */
        FLOAT,
        /** Numbers of 64 bits. */
        DOUBLE,
        /** Truth values. */
        BOOLEAN,
        /** UTF-8. */
        TEXT,
        /** Bytes. */
        BYTES,
        /** Decimals as integers of 32 bits. */
        INT_DECIMAL,
        /** Decimals as integers of 64 bits. */
        LONG_DECIMAL,
        /** Decimals as big-endian bytes. */
        BYTES_DECIMAL
    }

    /** As many digits as a decimal may have in text. */
    private static final int MAX_SCALE = 1_000;
    private static final long MS_NS = 1_000_000;
    private static final long US_NS = 1_000;
    private static final Set<ConvertedType> TEXTS =
        EnumSet.of(ConvertedType.UTF8, ConvertedType.ENUM, ConvertedType.JSON);
    private static final Set<ConvertedType> UNSIGNED =
        EnumSet.of(ConvertedType.UINT_32, ConvertedType.UINT_64);

    /** The conversion of a column to a property; {@code null} if it does not fit. */
    static Conversion of(final SchemaElement column, final CqlType type)
    {
        final Conversion found = of(column);
        return found != null && found.fits(type) ? found : null;
    }

    private boolean fits(final CqlType type)
    {
        return switch (kind)
        {
            case INT -> type == CqlType.INT || type == CqlType.BIGINT || type == CqlType.FLOAT ||
                type == CqlType.DOUBLE;
            case LONG -> type == CqlType.BIGINT || type == CqlType.INTERVAL || type == CqlType.FLOAT ||
                type == CqlType.DOUBLE;
            case TIME, DATE, OLD_TIME -> type == CqlType.TIMESTAMP;
            case FLOAT -> type == CqlType.FLOAT || type == CqlType.DOUBLE;
            case DOUBLE -> type == CqlType.DOUBLE;
            case BOOLEAN -> type == CqlType.BOOLEAN;
            case TEXT -> type == CqlType.CHAR;
            case BYTES -> type == CqlType.BYTE || type == CqlType.CHAR;
            default -> type == CqlType.BIGDECIMAL;
        };
    }

    private static Conversion of(final SchemaElement column)
    {
        final LogicalType logical = column.isSetLogicalType() ? column.getLogicalType() : new LogicalType();
        final ConvertedType converted = column.getConverted_type();
        final boolean isDecimal = logical.isSetDECIMAL() || converted == ConvertedType.DECIMAL;
        final long decimals = logical.isSetDECIMAL() ? logical.getDECIMAL().getScale() : column.getScale();
        final boolean isTimeOfDay = logical.isSetTIME() || converted == ConvertedType.TIME_MILLIS ||
            converted == ConvertedType.TIME_MICROS;
        final boolean isUnsigned = UNSIGNED.contains(converted) || logical.isSetINTEGER() &&
            !logical.getINTEGER().isIsSigned() && logical.getINTEGER().getBitWidth() >= Integer.SIZE;
        final boolean isWrongScale = isDecimal && (decimals < 0 || decimals > MAX_SCALE);
        if (isTimeOfDay || isUnsigned || isWrongScale || logical.isSetFLOAT16() || converted == ConvertedType.INTERVAL)
        {
            return null;
        }
        return switch (column.getType())
        {
            case BOOLEAN -> new Conversion(Kind.BOOLEAN, 0);
            case INT32 -> isDecimal ? new Conversion(Kind.INT_DECIMAL, decimals) :
                logical.isSetDATE() || converted == ConvertedType.DATE ? new Conversion(Kind.DATE, 0) :
                new Conversion(Kind.INT, 0);
            case INT64 -> isDecimal ? new Conversion(Kind.LONG_DECIMAL, decimals) : integer(logical, converted);
            case INT96 -> new Conversion(Kind.OLD_TIME, 0);
            case FLOAT -> new Conversion(Kind.FLOAT, 0);
            case DOUBLE -> new Conversion(Kind.DOUBLE, 0);
            default -> isDecimal ? new Conversion(Kind.BYTES_DECIMAL, decimals) : new Conversion(
                column.getType() == Type.BYTE_ARRAY && (TEXTS.contains(converted) || logical.isSetSTRING() ||
                logical.isSetENUM() || logical.isSetJSON()) ? Kind.TEXT : Kind.BYTES, 0);
        };
    }

    private static Conversion integer(final LogicalType logical, final ConvertedType converted)
    {
        if (logical.isSetTIMESTAMP())
        {
            final TimeUnit unit = logical.getTIMESTAMP().getUnit();
            return new Conversion(Kind.TIME, unit.isSetMILLIS() ? MS_NS : unit.isSetMICROS() ? US_NS : 1);
        }
        return converted == ConvertedType.TIMESTAMP_MILLIS ? new Conversion(Kind.TIME, MS_NS) :
            converted == ConvertedType.TIMESTAMP_MICROS ? new Conversion(Kind.TIME, US_NS) :
            new Conversion(Kind.LONG, 0);
    }
}
